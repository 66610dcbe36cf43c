// SPDX-License-Identifier: BSL-1.0
/// Limits of a policy as limits of the kernel.
#pragma once

#include <cordon/linux/prepare.hpp>
#include <cordon/policy/limits.hpp>

#include <vector>

namespace cordon::linux_shim {

/// Adds what setrlimit(2) can hold, and `group` (if any) does not, to the confinement and says of each limit who holds it
/// and how well.
std::vector<stated_limit> set_limits(const cordon::limits& wanted, confinement& to, const control_group* group);

} // namespace cordon::linux_shim
