// SPDX-License-Identifier: BSL-1.0
/// From the name of a system call to its number and back. Constant time: a name costs a hash of four bytes and a
/// comparison, because each run compiles a list of names.
#pragma once

#include "arch.hpp"
#include "table.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon::seccomp {

namespace detail {

inline constexpr std::size_t name_slots = 1024, shortest_name = 3;

/// The products are independent, so that they run in parallel; the factors have the fewest collisions of 3000 tried.
[[nodiscard]] constexpr std::size_t name_slot(std::string_view text) {
  const std::size_t n = text.size();
  const auto at = [&](std::size_t i) -> std::size_t { return static_cast<unsigned char>(text[i]); };
  return (n * 31 + at(0) * 769 + at(n / 2) * 163 + at(n - 2) * 257 + at(n - 1) * 163) % name_slots;
}

inline constexpr std::size_t table_numbers = 512;

/// Plain arrays: g++ 12 spends a function call on each subscript of a std::array in a constant expression.
struct indices {
  std::uint16_t by_name[name_slots]{}; ///< open addressing, three eighths full; the row of `calls` plus one, or 0
  std::uint16_t by_number[arch_names.size()][table_numbers]{};
  call_class kinds[arch_names.size()][table_numbers]{};
};

inline constexpr indices index = [] {
  indices all;
  std::uint16_t row = 0;
  for (const call& c : calls) {
    ++row;
    std::size_t at = name_slot(c.name);
    while (all.by_name[at] != 0) at = (at + 1) % name_slots;
    all.by_name[at] = row;
    std::size_t cpu = 0;
    for (const std::int16_t number : c.numbers) {
      if (number >= 0) {
        all.by_number[cpu][number] = row;
        all.kinds[cpu][number] = c.what;
      }
      ++cpu;
    }
  }
  return all;
}();

/// Returns the row of the name plus one, or 0. Not a pointer: with UBSan g++ 12 cannot compare it with null in a
/// constant expression.
[[nodiscard]] constexpr std::size_t find(std::string_view text) {
  if (text.size() < shortest_name) return 0;
  for (std::size_t at = name_slot(text);; at = (at + 1) % name_slots) {
    const std::size_t row = index.by_name[at];
    if (row == 0 || calls[row - 1].name == text) return row;
  }
}

} // namespace detail

/// Returns whether any architecture has a call of that name.
[[nodiscard]] constexpr bool is_call(std::string_view text) { return detail::find(text) != 0; }

/// Returns the number of the call, or -1 if the architecture has no call of that name.
[[nodiscard]] constexpr int number_of(arch cpu, std::string_view text) {
  const std::size_t row = detail::find(text);
  return row == 0 ? -1 : calls[row - 1].numbers[static_cast<std::size_t>(cpu)];
}

/// Returns the name of the call, or an empty text.
[[nodiscard]] constexpr std::string_view name_of(arch cpu, std::uint32_t number) {
  if (number >= detail::table_numbers) return {};
  const std::uint16_t row = detail::index.by_number[static_cast<std::size_t>(cpu)][number];
  return row == 0 ? std::string_view{} : calls[row - 1U].name;
}

/// The class of a call; `unreviewed` for a number that is in no table. O(1).
[[nodiscard]] constexpr call_class class_of(arch cpu, std::uint32_t number) {
  return number < detail::table_numbers ? detail::index.kinds[static_cast<std::size_t>(cpu)][number]
                                        : call_class::unreviewed;
}

} // namespace cordon::seccomp
