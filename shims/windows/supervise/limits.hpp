// SPDX-License-Identifier: BSL-1.0
/// The limits of a run in its report.
#pragma once

#include <cordon/backend/appcontainer/rules.hpp>
#include <cordon/policy/limits.hpp>
#include <cordon/run/reported.hpp>

#include <vector>

namespace cordon::windows_shim {

/// Adds each limit with its class and the mechanism that enforces it.
void state_limits(const limits& wanted, const appcontainer::job& job, std::vector<stated_limit>& to);

} // namespace cordon::windows_shim
