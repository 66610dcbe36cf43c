// SPDX-License-Identifier: BSL-1.0
/// What of a policy is in force on a host.
#pragma once

#include "../gap/plan.hpp"
#include "../policy/limits.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

/// A difference between what the policy says and what will be in force.
struct reported_gap {
  gap_kind kind{};
  std::string id;  ///< `backend.gap_type[:place]`
  std::string why; ///< what it means and, where there is one, the remedy
};

/// What is in force of one mechanism.
struct mechanism {
  std::string name;
  std::string version;
  std::string verified; ///< how it was seen to work
};

/// Which limits of a policy hold, and who holds them.
struct stated_limit {
  limit which{};
  std::uint64_t value = 0;
  std::string_view grade; ///< enforced, best_effort or none
  std::string by;
};

/// IDs of the unenforced ones that `accepted` does not list.
[[nodiscard]] inline std::vector<std::string> unaccepted_gaps(const std::vector<reported_gap>& gaps,
                                                              const std::vector<std::string>& accepted) {
  std::vector<std::string> left;
  for (const reported_gap& g : gaps)
    if (g.kind == gap_kind::unenforced && std::find(accepted.begin(), accepted.end(), g.id) == accepted.end())
      left.push_back(g.id);
  return left;
}

} // namespace cordon
