// SPDX-License-Identifier: BSL-1.0
/// Compiles filter specs and listings to programs. Pure, deterministic, without allocation, in constant expressions and
/// at run time; O(numbers).
#pragma once

#include "argument_checks.hpp"
#include "breakpoints.hpp"
#include "tree.hpp"
#include "verdict_blocks.hpp"

namespace cordon::seccomp {

/// One action for a set of calls, and one for all others. On x86_64, x32 is always killed.
struct listing {
  arch cpu = arch::x86_64;              ///< the processor that the filter is for
  number_set numbers{};                 ///< the calls that get the action `listed`
  filter_action listed = not_permitted; ///< the action of the listed calls
  filter_action otherwise = pass;       ///< the action of all other calls
};

namespace detail {

struct no_checks {
  template <class Blocks> constexpr label operator()(assembler&, Blocks& block, disposition) const {
    return block(disposition::kill);
  }
};

/// Checks the architecture first: a number has no meaning without it.
template <class Checks>
constexpr void emit_program(program& out, arch cpu, const breakpoints& all, const plain_actions& plain,
                            const Checks& look) {
  assembler to{out};
  verdict_blocks<Checks> block{to, plain, look};
  const label foreign = block(disposition::kill);
  const label numbers = to.load(offset_of_number, tree<verdict_blocks<Checks>>{to, all, block}.emit_tree());
  to.load(offset_of_arch, to.branch(op::if_equal, audit_arch(cpu), numbers, foreign));
}

} // namespace detail

/// The program of a filter. O(n log n) in the calls; at most 4096 instructions.
[[nodiscard]] constexpr program compile(const filter_spec& d) {
  program out;
  detail::emit_program(out, d.cpu, breakpoints{d}, usual_actions, argument_checks{d});
  return out;
}

/// The program of an explicit list of calls.
[[nodiscard]] constexpr program compile(const listing& l) {
  program out;
  // Equal actions get the same disposition.
  const disposition otherwise = l.otherwise == kill_process ? disposition::kill : disposition::allow;
  const disposition listed = l.listed == l.otherwise    ? otherwise
                             : l.listed == kill_process ? disposition::kill
                                                        : disposition::refuse;
  const plain_actions plain{l.otherwise, l.listed, no_such_call, kill_process};
  detail::emit_program(out, l.cpu, breakpoints{l.cpu, l.numbers, listed, otherwise}, plain, detail::no_checks{});
  return out;
}

} // namespace cordon::seccomp
