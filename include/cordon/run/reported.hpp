// SPDX-License-Identifier: BSL-1.0
/// The part of a policy that is in force on a host.
#pragma once

#include "../gap/plan.hpp"
#include "../policy/limits.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

/// A difference between the policy and the rules in force.
struct reported_gap {
  gap_kind kind{};
  std::string id;  ///< `backend.gap_type[:place]`
  std::string why; ///< its consequence and, if there is one, the remedy
};

/// What one mechanism enforces.
struct mechanism {
  std::string name;
  std::string version;
  std::string verified; ///< how a probe observed that it works
};

/// A limit of a policy: is it enforced, and by what?
struct stated_limit {
  limit which{};
  std::uint64_t value = 0;
  std::string_view grade; ///< enforced, best_effort or none
  std::string by;
};

/// The IDs of the unenforced gaps that `accepted` does not list.
[[nodiscard]] inline std::vector<std::string> unaccepted_gaps(const std::vector<reported_gap>& gaps,
                                                              const std::vector<std::string>& accepted) {
  std::vector<std::string> left;
  for (const reported_gap& g : gaps)
    if (g.kind == gap_kind::unenforced && std::find(accepted.begin(), accepted.end(), g.id) == accepted.end())
      left.push_back(g.id);
  return left;
}

} // namespace cordon
