// SPDX-License-Identifier: BSL-1.0
/// The part of a policy that is in force on a host.
#pragma once

#include "../gap/gap_type.hpp"
#include "../policy/limits.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace cordon {

/// A difference between the policy and the rules in force.
struct reported_gap {
  gap_kind kind{}; ///< more than the policy, or less?
  std::string id;  ///< `backend.gap_type[:place]`
  std::string why; ///< its consequence and, if there is one, the remedy
};

inline namespace abi_0 {

/// Returns the ID of a gap in a report, `backend.gap_type[:place]`.
[[nodiscard]] std::string gap_id(std::string_view what, std::string_view place);

/// Returns a gap of that type about a subject, such as a path; empty: about the whole run. `why` can describe this gap
/// more exactly than the type does.
[[nodiscard]] reported_gap gap_of(const gap_type& t, std::string_view subject, std::string why);
/// The same with the words of the type.
[[nodiscard]] reported_gap gap_of(const gap_type& t, std::string_view subject = {});

} // namespace abi_0

/// What one mechanism enforces.
struct mechanism {
  std::string name;     ///< as in `cordon doctor`
  std::string version;  ///< of the mechanism; empty: none
  std::string verified; ///< how a probe observed that it works
};

/// A limit of a policy: is it enforced, and by what?
struct stated_limit {
  limit which{};           ///< the limit
  std::uint64_t value = 0; ///< in bytes, nanoseconds, or a plain number
  std::string_view grade;  ///< enforced, best_effort or none
  std::string by;          ///< the mechanism
};

inline namespace abi_0 {

/// The IDs of the unenforced gaps that `accepted` does not list.
[[nodiscard]] std::vector<std::string> unaccepted_gaps(const std::vector<reported_gap>& gaps,
                                                       const std::vector<std::string>& accepted);

} // namespace abi_0

} // namespace cordon
