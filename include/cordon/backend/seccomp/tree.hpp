// SPDX-License-Identifier: BSL-1.0
/// The search tree over the breakpoints. It compares only the number. So for calls without argument checks the kernel
/// can compute the action in advance (the action cache of Linux 5.11).
#pragma once

#include "assembler.hpp"
#include "breakpoints.hpp"

#include <bit>
#include <cstddef>

namespace cordon::seccomp {

/// Emits the tree over all breakpoints; `Blocks` converts a disposition to the label of its code. No path has more than
/// ceil(log2(breakpoints)) + 2 comparisons. Within that bound, runs of single numbers are compared one by one, which
/// saves the comparisons that would only halve the run.
template <class Blocks> class tree {
public:
  /// A search tree over the breakpoints; `blocks` emits the code of each decision.
  constexpr tree(assembler& out, const breakpoints& all, Blocks& blocks) : out_(out), all_(all), blocks_(blocks) {}

  /// Emits the tree, and returns the label of its root.
  constexpr label emit_tree() { return emit_tree(0, all_.size(), all_.lowest(), deepest(all_.size()) + 1); }

  /// Comparisons on the longest path if each halves the rest: ceil(log2(n)) + 1.
  [[nodiscard]] static constexpr std::size_t deepest(std::size_t n) {
    return n < 2 ? n : 1 + static_cast<std::size_t>(std::bit_width(n - 1));
  }

private:
  constexpr label emit_tree(std::size_t low, std::size_t high, disposition around, std::size_t depth) {
    if (low == high) return blocks_(around);
    const std::size_t at = middle(low, high, depth);
    if (at == high) return row(low, high, around);
    const bool splits = !all_[at].alone; // else the comparison only halves a run
    const label above = emit_tree(splits ? at + 1 : at, high, splits ? all_[at].what : all_[at].around, depth - 1);
    const label below = emit_tree(low, at, around, depth - 1);
    return out_.branch(op::if_at_least, all_[at].number, above, below);
  }

  /// Returns the breakpoint to compare first: the one nearest to the middle that leaves both sides shallow enough, or
  /// `high` if none is needed. Prefers breakpoints to single numbers, which would need a second comparison.
  [[nodiscard]] constexpr std::size_t middle(std::size_t low, std::size_t high, std::size_t depth) const {
    if (high - low == 1) return all_[low].alone ? high : low;
    const std::size_t side = depth < 2 ? 0 : std::size_t{1} << (depth - 2); // deepest(side) is depth - 1
    const std::size_t half = low + (high - low) / 2;
    if (!all_[half].alone) return half;
    for (std::size_t away = 1; away <= half - low && half + away <= low + side + 1; ++away) {
      if (!all_[half - away].alone && high - (half - away) <= side + 1) return half - away;
      if (half + away < high && half + away <= low + side && !all_[half + away].alone) return half + away;
    }
    return high - low <= depth ? high : half;
  }

  constexpr label row(std::size_t low, std::size_t high, disposition around) {
    label next = blocks_(around);
    while (high-- > low) next = out_.branch(op::if_equal, all_[high].number, blocks_(all_[high].what), next);
    return next;
  }

  assembler& out_;
  const breakpoints& all_;
  Blocks& blocks_;
};

} // namespace cordon::seccomp
