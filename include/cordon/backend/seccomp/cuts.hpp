// SPDX-License-Identifier: BSL-1.0
/// Where the decision changes along the numbers: the questions that a filter has to ask. A number that is decided
/// alone, between two that are decided alike, is found by one question for equality instead of two cuts around it.
#pragma once

#include "arch.hpp"
#include "decision.hpp"
#include "number_set.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace cordon::seccomp {

struct cut {
  std::uint32_t number;
  decision what;   ///< from the number on; of the number alone, where `alone` is set
  decision around; ///< below the number
  bool alone;
};

/// Made in place and not copied: in a constant expression clang copies what a function returns, and may not copy what
/// is not written yet.
class cuts {
public:
  static constexpr std::size_t capacity = number_set::limit + 3;

  /// A set with one decision inside and one outside of it.
  constexpr cuts(arch cpu, const number_set& set, decision inside, decision outside)
      : lowest_(set.has(0) ? inside : outside), highest_(lowest_) {
    std::uint64_t below = set.has(0) ? 1 : 0; // whether the set has the number before the word's first
    std::uint32_t first = 0;
    for (const std::uint64_t word : set.words) {
      for (std::uint64_t changes = word ^ (word << 1 | below); changes != 0; changes &= changes - 1)
        push(first + static_cast<std::uint32_t>(std::countr_zero(changes)), highest_ == inside ? outside : inside);
      below = word >> 63;
      first += 64;
    }
    finish(cpu, outside);
  }

  constexpr explicit cuts(const demand& d) : lowest_(of(d, 0)), highest_(lowest_) {
    std::array<decision, kind_count> by_kind{};
    for (std::size_t k = 0; k < kind_count; ++k) by_kind[k] = decide(d, static_cast<kind>(k));
    for (std::uint32_t number = 0; number < number_set::limit; ++number) {
      const kind k = kind_of(d.cpu, number);
      push(number, is_denied(d, number, k) ? decision::refuse : by_kind[static_cast<std::size_t>(k)]);
    }
    finish(d.cpu, decide(d, kind::unreviewed));
  }

  cuts(const cuts&) = delete;
  cuts& operator=(const cuts&) = delete;

  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr const cut& operator[](std::size_t i) const { return at_[i]; }
  /// What is decided below the first cut.
  [[nodiscard]] constexpr decision lowest() const { return lowest_; }

private:
  /// clone3 does not exist, and stays so when it is denied: only that makes a libc fall back.
  [[nodiscard]] static constexpr bool is_denied(const demand& d, std::uint32_t number, kind k) {
    return d.denied.has(number) && k != kind::clone3;
  }
  [[nodiscard]] static constexpr decision of(const demand& d, std::uint32_t number) {
    const kind k = kind_of(d.cpu, number);
    return is_denied(d, number, k) ? decision::refuse : decide(d, k);
  }

  /// Ascending numbers.
  constexpr void push(std::uint32_t first, decision what) {
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
  constexpr void finish(arch cpu, decision unknown) {
    static_assert(number_set::limit == x32_slots_begin);
    if (cpu == arch::x86_64) push(x32_slots_begin, decision::kill);
    push(cpu == arch::x86_64 ? x32_slots_end : number_set::limit, unknown);
    if (cpu == arch::x86_64) push(x32_bit, decision::kill);
  }

  cut at_[capacity]; // not cleared: it is written before it is read
  std::size_t size_ = 0;
  decision lowest_, highest_;
  std::uint32_t after_last_ = 0; ///< where the latest cut ends if it is alone; 0 before the first
  decision around_last_ = decision::allow;
};

} // namespace cordon::seccomp
