// SPDX-License-Identifier: BSL-1.0
/// The code at the ends of the tree: one answer or one look at arguments for each decision, shared by all paths to it.
#pragma once

#include "assembler.hpp"
#include "decision.hpp"

#include <array>
#include <cstddef>

namespace cordon::seccomp {

using plain_answers = std::array<answer, plain_decisions>;
inline constexpr plain_answers usual_answers{pass, not_permitted, no_such_call, kill_process};

/// `Looks` emits the code of a decision that is more than an answer: `label looks(assembler&, leaves&, decision)`.
template <class Looks> class leaves {
public:
  constexpr leaves(assembler& out, const plain_answers& plain, const Looks& looks)
      : out_(out), plain_(plain), looks_(looks) {}

  constexpr label operator()(decision what) {
    const auto i = static_cast<std::size_t>(what);
    if (at_[i] != 0 && out_.top() - at_[i] < assembler::reach - 15) return at_[i];
    // Soon out of reach for the questions to come. An answer costs no more than a jump to it, and a step less.
    if (i < plain_decisions) at_[i] = out_.give(plain_[i]);
    else if (at_[i] != 0) at_[i] = out_.go(at_[i]);
    else at_[i] = looks_(out_, *this, what);
    return at_[i];
  }

private:
  assembler& out_;
  const plain_answers& plain_;
  const Looks& looks_;
  std::array<label, decision_count> at_{};
};

} // namespace cordon::seccomp
