// SPDX-License-Identifier: BSL-1.0
/// Character classes and letter case of ASCII, whatever the locale is. A byte of a longer UTF-8 character is in no
/// class and has no case.
#pragma once

#include <cstddef>
#include <string_view>

namespace cordon::ascii {

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
[[nodiscard]] constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
[[nodiscard]] constexpr bool is_letter(char c) { return is_lower(c) || is_upper(c); }
[[nodiscard]] constexpr bool is_alphanumeric(char c) { return is_lower(c) || is_digit(c) || is_upper(c); }

[[nodiscard]] constexpr char lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }
[[nodiscard]] constexpr char upper(char c) { return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c; }

/// The value of a hexadecimal digit in either case, or 16. O(1).
[[nodiscard]] constexpr unsigned hex_value(char c) {
  if (is_digit(c)) return static_cast<unsigned>(c - '0');
  const char l = lower(c);
  return l >= 'a' && l <= 'f' ? static_cast<unsigned>(l - 'a') + 10 : 16;
}

/// Are the texts equal but for the case of letters? O(n).
[[nodiscard]] constexpr bool same_in_any_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i] && lower(a[i]) != lower(b[i])) return false;
  return true;
}

} // namespace cordon::ascii
