// SPDX-License-Identifier: BSL-1.0
/// The step function from numbers to decisions: where each interval of equal decision begins.
#pragma once

#include "arch.hpp"
#include "decision.hpp"
#include "number_set.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace cordon::seccomp {

struct interval {
  std::uint32_t first;
  decision what;
};

/// Made in place and not copied: in a constant expression clang copies what a function returns, and may not copy what
/// is not written yet.
class intervals {
public:
  static constexpr std::size_t capacity = number_set::limit + 4;

  /// A set with one decision inside and one outside of it.
  constexpr intervals(arch cpu, const number_set& set, decision inside, decision outside) {
    const bool x86 = cpu == arch::x86_64;
    push(set, 0, x86 ? x32_slots_begin : number_set::limit, inside, outside);
    if (x86) push(x32_slots_begin, decision::kill);
    if (x86) push(set, x32_slots_end, number_set::limit, inside, outside);
    finish(cpu, outside);
  }

  constexpr explicit intervals(const demand& d) {
    std::array<decision, kind_count> by_kind{};
    for (std::size_t k = 0; k < kind_count; ++k) by_kind[k] = decide(d, static_cast<kind>(k));
    for (std::uint32_t number = 0; number < detail::table_numbers; ++number) {
      const kind k = kind_of(d.cpu, number);
      const bool denied = d.denied.has(number) && k != kind::clone3;
      push(number, denied ? decision::refuse : by_kind[static_cast<std::size_t>(k)]);
    }
    static_assert(detail::table_numbers == x32_slots_begin);
    const bool x86 = d.cpu == arch::x86_64;
    const decision unknown = decide(d, kind::unreviewed);
    if (x86) push(x32_slots_begin, decision::kill);
    push(d.denied, x86 ? x32_slots_end : x32_slots_begin, number_set::limit, decision::refuse, unknown);
    finish(d.cpu, unknown);
  }

  intervals(const intervals&) = delete;
  intervals& operator=(const intervals&) = delete;

  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr interval operator[](std::size_t i) const { return at_[i]; }

private:
  /// Ascending. An interval that decides as the one before it continues that one.
  constexpr void push(std::uint32_t first, decision what) {
    if (size_ == 0 || at_[size_ - 1].what != what) at_[size_++] = {first, what};
  }
  /// The numbers [from, to). Whole words at a time: most of them change seldom.
  constexpr void push(const number_set& set, std::uint32_t from, std::uint32_t to, decision inside, decision outside) {
    bool has = set.has(from);
    push(from, has ? inside : outside);
    while ((from = set.next(from, !has)) < to) push(from, (has = !has) ? inside : outside);
  }
  constexpr void finish(arch cpu, decision unknown) {
    push(number_set::limit, unknown);
    if (cpu == arch::x86_64) push(x32_bit, decision::kill);
  }

  interval at_[capacity]; // not cleared: it is written before it is read
  std::size_t size_ = 0;
};

} // namespace cordon::seccomp
