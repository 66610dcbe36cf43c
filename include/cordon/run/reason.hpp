// SPDX-License-Identifier: BSL-1.0
/// A reason for which cordon refuses to start a program. reasons.hpp lists them all.
#pragma once

#include <cstddef>
#include <string_view>

namespace cordon {

/// A reason for which a program is not started, or not confined.
struct reason {
  std::string_view id;   ///< `subject.fact`
  std::string_view text; ///< with `{}` for each value
};

/// The number of values that a text takes. O(n).
[[nodiscard]] constexpr std::size_t count_of_values(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = text.find("{}"); at != text.npos; at = text.find("{}", at + 2)) ++count;
  return count;
}

} // namespace cordon
