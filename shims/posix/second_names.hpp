// SPDX-License-Identifier: BSL-1.0
/// What a policy takes away by name, and the file keeps by another.
#pragma once

#include <cordon/heap.hpp>
#include <cordon/run/in_force.hpp>

#include <vector>

namespace cordon::shim {

/// A gap for every file with more than one name (hard links) that has less rights than what is granted around it: by its
/// other names, wherever they are, it has what is granted there. Files in a hidden directory are not looked at. O(n).
void state_second_names(std::vector<stated_gap>& to, const loaded_policy& p);

} // namespace cordon::shim
