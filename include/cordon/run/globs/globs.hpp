// SPDX-License-Identifier: BSL-1.0
/// Glob patterns of loaded policies. Loading has already replaced each pattern by the paths that matched it.
#pragma once

#include "../../format/document.hpp"
#include "../../gap/run_gap_types.hpp"
#include "../reported.hpp"
#include "matched_glob.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace cordon {

/// The patterns of an expanded document.
[[nodiscard]] inline std::vector<matched_glob> globs_of(const format::document& d) {
  std::vector<matched_glob> all;
  for (const format::glob_grant& g : d.globs) all.push_back({g.pattern, g.places.value_or(0)});
  return all;
}

/// The explanation of the gap `files.later:PATTERN`.
[[nodiscard]] inline std::string later_text(const matched_glob& g) {
  const std::string found =
      g.places == 0   ? "no path matched the pattern where cordon looked"
      : g.places == 1 ? "the pattern is replaced by the one path that matched it"
                      : "the pattern is replaced by the " + std::to_string(g.places) + " paths that matched it";
  return found + " when the policy was resolved; what matches later has the rights of the directory around it";
}

/// Adds that gap once for each pattern.
inline void state_later(std::vector<reported_gap>& to, const std::vector<matched_glob>& globs) {
  for (const matched_glob& g : globs) {
    reported_gap later = gap_of(run_gaps::files_later, g.pattern, later_text(g));
    const bool known =
        std::any_of(to.begin(), to.end(), [&](const reported_gap& other) { return other.id == later.id; });
    if (!known) to.push_back(std::move(later));
  }
}

} // namespace cordon
