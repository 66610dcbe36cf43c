// SPDX-License-Identifier: BSL-1.0
#include "limits.hpp"

#include "../../common/run/wanted_limits.hpp"
#include "../launch/job.hpp"

#include <string_view>

namespace cordon::windows_shim {

void state_limits(const limits& wanted, const appcontainer::job& job, std::vector<stated_limit>& to) {
  const bool held = holds(job);
  shim::each_wanted(wanted, [&](limit l) {
    const bool ours = row_of(l).by_cordon;
    const bool of_job = appcontainer::job::can_hold(l);
    // A job counts only user time, not kernel time.
    const std::string_view of_held = l == limit::cpu ? "best_effort" : "enforced";
    const std::string_view grade = ours ? "enforced" : of_job && held ? of_held : "none";
    to.push_back({l, wanted[l], grade, ours ? "cordon" : of_job ? "job object" : ""});
  });
}

} // namespace cordon::windows_shim
