// SPDX-License-Identifier: BSL-1.0
/// The numbers at which the decision changes, which a filter must compare. If one number alone differs from both
/// neighbours, the filter needs one equality test instead of two breakpoints.
#pragma once

#include "arch.hpp"
#include "disposition.hpp"
#include "number_set.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace cordon::seccomp {

/// Where the decision changes on the line of call numbers.
struct breakpoint {
  std::uint32_t number; ///< the first number of the new decision
  disposition what;     ///< from the number on; if `alone` is set, of this number only
  disposition around;   ///< below the number
  bool alone;           ///< the decision is for this number only
};

/// Constructed in place and not copied: in a constant expression clang copies a function's result, and may not copy
/// uninitialized elements.
class breakpoints {
public:
  static constexpr std::size_t capacity = number_set::limit + 3; ///< the most breakpoints of any filter

  /// One decision for the numbers in the set and one for all others.
  constexpr breakpoints(arch cpu, const number_set& set, disposition inside, disposition outside)
      : lowest_(set.has(0) ? inside : outside), highest_(lowest_) {
    std::uint64_t below = set.has(0) ? 1 : 0; // 1 if the set has the number before the word's first
    std::uint32_t first = 0;
    for (const std::uint64_t word : set.words) {
      for (std::uint64_t changes = word ^ (word << 1 | below); changes != 0; changes &= changes - 1)
        push(first + static_cast<std::uint32_t>(std::countr_zero(changes)), highest_ == inside ? outside : inside);
      below = word >> 63;
      first += 64;
    }
    finish(cpu, outside);
  }

  /// Finds the breakpoints of what the filter must do. O(numbers).
  constexpr explicit breakpoints(const filter_spec& d) : lowest_(of(d, 0)), highest_(lowest_) {
    std::array<disposition, call_class_count> by_kind{};
    for (std::size_t k = 0; k < call_class_count; ++k) by_kind[k] = disposition_of(d, static_cast<call_class>(k));
    for (std::uint32_t number = 0; number < number_set::limit; ++number) {
      const call_class k = class_of(d.cpu, number);
      push(number, is_denied(d, number, k) ? disposition::refuse : by_kind[static_cast<std::size_t>(k)]);
    }
    finish(d.cpu, disposition_of(d, call_class::unreviewed));
  }

  breakpoints(const breakpoints&) = delete;
  breakpoints& operator=(const breakpoints&) = delete;

  [[nodiscard]] constexpr std::size_t size() const { return size_; } ///< The number of them.
  /// The breakpoint with that index, in ascending order of numbers.
  [[nodiscard]] constexpr const breakpoint& operator[](std::size_t i) const { return at_[i]; }
  /// The decision below the first breakpoint.
  [[nodiscard]] constexpr disposition lowest() const { return lowest_; }

private:
  /// clone3 fails with ENOSYS even if it is denied: only that makes a libc fall back.
  [[nodiscard]] static constexpr bool is_denied(const filter_spec& d, std::uint32_t number, call_class k) {
    return d.denied.has(number) && k != call_class::clone3;
  }
  [[nodiscard]] static constexpr disposition of(const filter_spec& d, std::uint32_t number) {
    const call_class k = class_of(d.cpu, number);
    return is_denied(d, number, k) ? disposition::refuse : disposition_of(d, k);
  }

  /// Adds a breakpoint; the numbers must ascend.
  constexpr void push(std::uint32_t first, disposition what) {
    if (what == highest_) return;
    if (first == after_last_ && what == around_last_) {
      at_[size_ - 1].alone = true;
    } else {
      at_[size_++] = {first, what, highest_, false};
      after_last_ = first + 1;
      around_last_ = highest_;
    }
    highest_ = what;
  }
  constexpr void finish(arch cpu, disposition unknown) {
    static_assert(number_set::limit == x32_slots_begin);
    if (cpu == arch::x86_64) push(x32_slots_begin, disposition::kill);
    push(cpu == arch::x86_64 ? x32_slots_end : number_set::limit, unknown);
    if (cpu == arch::x86_64) push(x32_bit, disposition::kill);
  }

  breakpoint at_[capacity]; // not cleared: elements are written before they are read
  std::size_t size_ = 0;
  disposition lowest_, highest_;
  std::uint32_t after_last_ = 0; ///< the end of the latest breakpoint if it is alone; 0 before the first
  disposition around_last_ = disposition::allow;
};

} // namespace cordon::seccomp
