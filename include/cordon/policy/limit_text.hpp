// SPDX-License-Identifier: BSL-1.0
/// Limits as people write them: `512MiB`, `1.5h`, `64`.
#pragma once

#include "../detail/ascii.hpp"
#include "limits.hpp"

#include <cstddef>

namespace cordon::limit_text {

/// Returns: the name of the quantity.
[[nodiscard]] constexpr std::string_view name(quantity q) {
  constexpr std::string_view names[]{"size", "duration", "seconds", "count"};
  return names[static_cast<std::size_t>(q)];
}

/// Why a text is not a valid limit, in the order in which `parse` checks.
enum class flaw : std::uint8_t {
  none,
  empty,
  negative,
  bad_number,
  bad_unit,
  missing_unit,
  too_large,
  not_whole,
  zero
};

/// Returns: the name of the flaw.
[[nodiscard]] constexpr std::string_view name(flaw f) {
  constexpr std::string_view names[]{"none",         "empty",     "negative",  "bad_number", "bad_unit",
                                     "missing_unit", "too_large", "not_whole", "zero"};
  return names[static_cast<std::size_t>(f)];
}

/// The flaw as part of a sentence.
[[nodiscard]] constexpr std::string_view explain(flaw f) {
  switch (f) {
  case flaw::none: return "the limit is fine";
  case flaw::empty: return "a limit must not be empty";
  case flaw::negative: return "a limit must not be negative";
  case flaw::bad_number: return "a limit starts with digits, or digits, a dot and digits";
  case flaw::bad_unit: return "unknown unit; sizes: B kB KB MB GB TB KiB MiB GiB TiB, durations: ns us ms s m min h d";
  case flaw::missing_unit: return "a duration needs a unit: ns us ms s m min h d";
  case flaw::too_large: return "the largest limit is 2^63-1";
  case flaw::not_whole: return "a limit must come out as a whole number of bytes or nanoseconds";
  case flaw::zero: return "0 is not a limit; leave the limit out for no limit";
  }
  return "unknown";
}

/// A unit of a limit.
struct unit {
  std::string_view spelling; ///< as it is written
  std::uint64_t factor;      ///< bytes or nanoseconds
};

inline constexpr unit size_units[]{{"B", 1}, ///< units of sizes
                                   {"kB", 1000},
                                   {"KB", 1000},
                                   {"MB", 1000'000},
                                   {"GB", 1000'000'000},
                                   {"TB", 1000'000'000'000},
                                   {"KiB", 1ULL << 10},
                                   {"MiB", 1ULL << 20},
                                   {"GiB", 1ULL << 30},
                                   {"TiB", 1ULL << 40}};
/// Longest first, because the printer tries them in this order.
inline constexpr unit duration_units[]{{"d", 86'400'000'000'000},
                                       {"h", 3'600'000'000'000},
                                       {"m", 60'000'000'000},
                                       {"s", 1'000'000'000},
                                       {"ms", 1'000'000},
                                       {"us", 1000},
                                       {"ns", 1},
                                       {"min", 60'000'000'000}};

/// The value of a limit (bytes, nanoseconds or a count), or why the text is invalid.
struct parsed {
  std::uint64_t value = 0; ///< in bytes, nanoseconds, or a plain number
  flaw why = flaw::none;   ///< why the text is invalid
  [[nodiscard]] constexpr explicit operator bool() const { return why == flaw::none; } ///< Is the text valid?
};

namespace detail {

/// The factor of a unit; 0 if the unit is unknown.
[[nodiscard]] constexpr std::uint64_t factor(std::string_view spelling, quantity k) {
  if (k == quantity::size) {
    for (const unit& u : size_units)
      if (u.spelling == spelling) return u.factor;
    return spelling.empty() ? 1 : 0;
  }
  for (const unit& u : duration_units)
    if (u.spelling == spelling) return u.factor;
  return k == quantity::seconds && spelling.empty() ? 1'000'000'000 : 0;
}

} // namespace detail

/// Parses a limit. Exact: nothing is rounded or trimmed. O(n).
[[nodiscard]] constexpr parsed parse(std::string_view text, quantity k) {
  if (text.empty()) return {0, flaw::empty};
  if (text.front() == '-') return {0, flaw::negative};
  std::size_t end = 0, dot = text.npos, dots = 0;
  for (; end < text.size() && (ascii::is_digit(text[end]) || text[end] == '.'); ++end)
    if (text[end] == '.') {
      dot = end;
      ++dots;
    }
  const bool fraction = dots != 0;
  if (end == 0 || dots > 1 || dot == 0 || dot == end - 1) return {0, flaw::bad_number};
  if (k == quantity::count && (fraction || end != text.size())) return {0, flaw::bad_number};
  std::string_view spelling = text.substr(end);
  if (!spelling.empty() && spelling.front() == ' ') spelling.remove_prefix(1);
  const std::uint64_t factor = k == quantity::count ? 1 : detail::factor(spelling, k);
  if (factor == 0) return {0, spelling.empty() ? flaw::missing_unit : flaw::bad_unit};

  // 0.d1d2d3... of a unit, from the last digit on. The result is whole only if it is whole at each step.
  bool whole = true;
  std::uint64_t part = 0;
  if (fraction)
    for (std::size_t i = end; --i > dot;) {
      part += static_cast<std::uint64_t>(text[i] - '0') * factor;
      whole = whole && part % 10 == 0;
      part /= 10;
    }
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < (fraction ? dot : end); ++i) {
    const auto digit = static_cast<std::uint64_t>(text[i] - '0');
    if (value > (limits::greatest - digit) / 10) return {0, flaw::too_large};
    value = value * 10 + digit;
  }
  if (value > (limits::greatest - part) / factor) return {0, flaw::too_large};
  value = value * factor + part;
  if (value == limits::greatest && !whole) return {0, flaw::too_large};
  if (!whole) return {0, flaw::not_whole};
  if (value == 0) return {0, flaw::zero};
  return {value, flaw::none};
}

/// The unit for printing a duration: the longest of which it is a whole number.
[[nodiscard]] constexpr unit longest_whole_unit(std::uint64_t nanoseconds) {
  for (const unit& u : duration_units)
    if (nanoseconds % u.factor == 0) return u;
  return {"ns", 1};
}

} // namespace cordon::limit_text
