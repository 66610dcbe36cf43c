// SPDX-License-Identifier: BSL-1.0
/// Demands and plain lists become programs. Pure, deterministic, without allocation, in constant expressions and at run
/// time alike; O(numbers).
#pragma once

#include "cuts.hpp"
#include "leaves.hpp"
#include "looks.hpp"
#include "tree.hpp"

namespace cordon::seccomp {

/// A set of calls with one answer, and one for all others. x32 is killed on x86_64 whatever the list says.
struct listing {
  arch cpu = arch::x86_64;
  number_set numbers{};
  answer listed = not_permitted;
  answer otherwise = pass;
};

namespace detail {

struct no_looks {
  template <class Leaves> constexpr label operator()(assembler&, Leaves& leaf, decision) const {
    return leaf(decision::kill);
  }
};

/// The architecture first: the number means nothing before it is known.
template <class Looks>
constexpr void emit(program& out, arch cpu, const cuts& all, const plain_answers& plain, const Looks& look) {
  assembler to{out};
  leaves<Looks> leaf{to, plain, look};
  const label foreign = leaf(decision::kill);
  const label numbers = to.load(offset_of_number, tree<leaves<Looks>>{to, all, leaf}.emit());
  to.load(offset_of_arch, to.branch(op::if_equal, audit_arch(cpu), numbers, foreign));
}

} // namespace detail

[[nodiscard]] constexpr program compile(const demand& d) {
  program out;
  detail::emit(out, d.cpu, cuts{d}, usual_answers, looks{d});
  return out;
}

[[nodiscard]] constexpr program compile(const listing& l) {
  program out;
  // Two answers that are one decide alike.
  const decision otherwise = l.otherwise == kill_process ? decision::kill : decision::allow;
  const decision listed = l.listed == l.otherwise    ? otherwise
                          : l.listed == kill_process ? decision::kill
                                                     : decision::refuse;
  const plain_answers plain{l.otherwise, l.listed, no_such_call, kill_process};
  detail::emit(out, l.cpu, cuts{l.cpu, l.numbers, listed, otherwise}, plain, detail::no_looks{});
  return out;
}

} // namespace cordon::seccomp
