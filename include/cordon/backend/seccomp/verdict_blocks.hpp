// SPDX-License-Identifier: BSL-1.0
/// The leaves of the tree: one action or one argument check for each decision, shared by all paths to it.
#pragma once

#include "assembler.hpp"
#include "disposition.hpp"

#include <array>
#include <cstddef>

namespace cordon::seccomp {

/// The action of each disposition without checks.
using plain_actions = std::array<filter_action, plain_dispositions>;
/// The actions of a filter that no watcher serves.
inline constexpr plain_actions usual_actions{pass, not_permitted, no_such_call, kill_process};

/// `Checks` emits the code of a decision that is not an action: `label checks(assembler&, verdict_blocks&,
/// disposition)`.
template <class Checks> class verdict_blocks {
public:
  /// Emits each block once, and remembers its label.
  constexpr verdict_blocks(assembler& out, const plain_actions& plain, const Checks& checks)
      : out_(out), plain_(plain), checks_(checks) {}

  /// Returns: the label of the block of a disposition, which is emitted on first use.
  constexpr label operator()(disposition what) {
    const auto i = static_cast<std::size_t>(what);
    if (at_[i] != 0 && out_.top() - at_[i] < assembler::reach - 15) return at_[i];
    // The block is nearly out of reach of later comparisons. A second action is as short as a jump to it and executes
    // one instruction less.
    if (i < plain_dispositions) at_[i] = out_.give(plain_[i]);
    else if (at_[i] != 0) at_[i] = out_.go(at_[i]);
    else at_[i] = checks_(out_, *this, what);
    return at_[i];
  }

private:
  assembler& out_;
  const plain_actions& plain_;
  const Checks& checks_;
  std::array<label, disposition_count> at_{};
};

} // namespace cordon::seccomp
