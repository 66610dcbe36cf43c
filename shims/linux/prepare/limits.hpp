// SPDX-License-Identifier: BSL-1.0
/// Maps the limits of a policy to limits of the kernel.
#pragma once

#include <cordon/linux/prepare.hpp>
#include <cordon/policy/limits.hpp>

#include <vector>

namespace cordon::linux_shim {

/// Adds the limits that setrlimit(2) can enforce and `group` (may be null) does not to the confinement. Returns: for
/// each limit, the mechanism and its grade.
std::vector<stated_limit> set_limits(const cordon::limits& wanted, confinement& to, const control_group* group);

} // namespace cordon::linux_shim
