// SPDX-License-Identifier: BSL-1.0
/// Emits a program back to front. A label counts the instructions from its place to the end, so a jump's distance is a
/// difference; the 8-bit offsets of conditional jumps reach further through an unconditional one.
#pragma once

#include "filter_action.hpp"
#include "program.hpp"

#include <cstddef>
#include <cstdint>

namespace cordon::seccomp {

using label = std::size_t;

class assembler {
public:
  constexpr explicit assembler(program& out) : out_(out) {}

  /// The place of the latest instruction, the one that runs next unless another is put before it.
  [[nodiscard]] constexpr label top() const { return out_.size(); }

  constexpr label put(op code, std::uint32_t k, std::size_t jt = 0, std::size_t jf = 0) {
    out_.prepend({static_cast<std::uint16_t>(code), static_cast<std::uint8_t>(jt), static_cast<std::uint8_t>(jf), k});
    return top();
  }
  constexpr label give(filter_action a) { return put(op::give, a.encoded()); }
  constexpr label go(label next) { return put(op::jump, static_cast<std::uint32_t>(top() - next)); }
  constexpr label load(std::uint32_t offset, label next) { return straight(op::load, offset, next); }
  constexpr label mask(std::uint32_t bits, label next) { return straight(op::mask, bits, next); }

  constexpr label branch(op condition, std::uint32_t k, label yes, label no) {
    if (top() - no >= reach) no = go(no); // one less than its reach: the next line may move it
    if (top() - yes > reach) yes = go(yes);
    return put(condition, k, top() - yes, top() - no);
  }

  static constexpr std::size_t reach = 255;

private:
  constexpr label straight(op code, std::uint32_t k, label next) {
    if (next != top()) go(next);
    return put(code, k);
  }
  program& out_;
};

} // namespace cordon::seccomp
