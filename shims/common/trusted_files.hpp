// SPDX-License-Identifier: BSL-1.0
/// Files that the caller trusts after the run, although the program may change them.
#pragma once

#include <cordon/policy/heap.hpp>
#include <cordon/run/reported.hpp>

#include <string>
#include <vector>

namespace cordon::shim {

/// Adds the gap `policy.writable:PATH` for each file, and for this process's own program, that the policy lets the
/// program write, or replace by name.
void state_writable(std::vector<reported_gap>& to, const loaded_policy& p, const std::vector<std::string>& files);

} // namespace cordon::shim
