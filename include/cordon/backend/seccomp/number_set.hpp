// SPDX-License-Identifier: BSL-1.0
/// Sets of numbers of system calls.
#pragma once

#include "../../detail/stop.hpp"
#include "lookup.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace cordon::seccomp {

namespace detail {
[[noreturn]] inline void no_machine_has_a_system_call_of_this_name() {
  cordon::detail::stop(
      "a set of system calls has an unknown name: no machine has a call of that name; correct the name");
}
} // namespace detail

/// Holds numbers below 512: Linux 6.18 has numbers up to 470. The members are public, so that a set can be a template
/// argument.
struct number_set {
  static constexpr std::uint32_t limit = 512;    ///< one more than the largest number
  std::array<std::uint64_t, limit / 64> words{}; ///< one bit for each number

  /// Has it this number?
  [[nodiscard]] constexpr bool has(std::uint32_t number) const {
    return number < limit && (words[number / 64] >> number % 64 & 1) != 0;
  }
  /// Returns false if the number is too large.
  constexpr bool insert(std::uint32_t number) {
    if (number >= limit) return false;
    words[number / 64] |= std::uint64_t{1} << number % 64;
    return true;
  }
  friend constexpr bool operator==(const number_set&, const number_set&) = default; ///< Compares every number.
};

/// Returns the numbers of the named calls. Omits calls that this architecture lacks. A name that no architecture has is
/// an error of the programmer and stops the build, or the process.
template <class Names> [[nodiscard]] constexpr number_set numbers_of(arch cpu, const Names& names) {
  number_set set;
  for (const std::string_view text : names) {
    const std::size_t row = detail::find(text);
    if (row == 0) detail::no_machine_has_a_system_call_of_this_name();
    if (const int number = calls[row - 1].numbers[static_cast<std::size_t>(cpu)]; number >= 0)
      set.insert(static_cast<std::uint32_t>(number));
  }
  return set;
}
/// The numbers of calls by name. A wrong name stops the build. O(names * log n).
[[nodiscard]] constexpr number_set numbers_of(arch cpu, std::initializer_list<std::string_view> names) {
  return numbers_of<std::initializer_list<std::string_view>>(cpu, names);
}

} // namespace cordon::seccomp
