// SPDX-License-Identifier: BSL-1.0
/// Emits a program from its end to its start. A label is the number of instructions from its target to the end, so the
/// distance of a jump is a difference. For targets beyond the 8-bit offset of a conditional jump, it emits an
/// unconditional one.
#pragma once

#include "filter_action.hpp"
#include "program.hpp"

#include <cstddef>
#include <cstdint>

namespace cordon::seccomp {

using label = std::size_t; ///< a position in a program, counted from its end

/// Writes a program from its end to its start, so that jumps lead to what is already there.
class assembler {
public:
  constexpr explicit assembler(program& out) : out_(out) {} ///< Writes into `out`, an empty program.

  /// The label of the latest instruction, which runs next unless another is put before it.
  [[nodiscard]] constexpr label top() const { return out_.size(); }

  /// Puts one instruction in front. Returns: its label.
  constexpr label put(op code, std::uint32_t k, std::size_t jt = 0, std::size_t jf = 0) {
    out_.prepend({static_cast<std::uint16_t>(code), static_cast<std::uint8_t>(jt), static_cast<std::uint8_t>(jf), k});
    return top();
  }
  /// Puts "return this action" in front. Returns: its label.
  constexpr label give(filter_action a) { return put(op::give, a.encoded()); }
  /// Puts a jump to a label in front. Returns: its label.
  constexpr label go(label next) { return put(op::jump, static_cast<std::uint32_t>(top() - next)); }
  /// Puts "A = the word at that offset" in front of a label. Returns: its label.
  constexpr label load(std::uint32_t offset, label next) { return straight(op::load, offset, next); }
  /// Puts "A &= bits" in front of a label. Returns: its label.
  constexpr label mask(std::uint32_t bits, label next) { return straight(op::mask, bits, next); }

  /// Puts a condition in front, with jumps of any length. Returns: its label.
  constexpr label branch(op condition, std::uint32_t k, label yes, label no) {
    if (top() - no >= reach) no = go(no); // one less than the reach: the next line may add an instruction
    if (top() - yes > reach) yes = go(yes);
    return put(condition, k, top() - yes, top() - no);
  }

  static constexpr std::size_t reach = 255; ///< instructions that a conditional jump can skip

private:
  constexpr label straight(op code, std::uint32_t k, label next) {
    if (next != top()) go(next);
    return put(code, k);
  }
  program& out_;
};

} // namespace cordon::seccomp
