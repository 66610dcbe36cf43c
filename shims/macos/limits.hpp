// SPDX-License-Identifier: BSL-1.0
/// Limits of each process: macOS has no limit for a process tree.
#pragma once

#include "launch.hpp"

#include <cordon/policy/limits.hpp>
#include <cordon/run/reported.hpp>

#include <vector>

namespace cordon::macos_shim {

/// Returns: the limits for the launch. Adds each wanted one to `stated`, with its class and mechanism.
[[nodiscard]] std::vector<bsd_shim::resource_limit> limits_of(const limits& wanted, std::vector<stated_limit>& stated);

} // namespace cordon::macos_shim
