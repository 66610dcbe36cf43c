// SPDX-License-Identifier: BSL-1.0
/// What mechanisms that only add rights can grant: a rule applies to everything beneath, and no rule below takes
/// anything away.
#pragma once

#include "../policy/path_tree.hpp"
#include "../policy/rights.hpp"

namespace cordon {

/// Returns the rights that a path and everything beneath it have. O(log n + entries beneath).
[[nodiscard]] constexpr rights floor_at(step_function<path_tree> files, std::string_view place) {
  std::uint32_t bits = files.lookup(place);
  for (std::uint32_t i = files.upper_bound(place); i < files.size() && path::covers(place, files.place(i)); ++i)
    bits &= files[i].value;
  return rights::from_bits(bits);
}

} // namespace cordon
