// SPDX-License-Identifier: BSL-1.0
/// The list of directories that runs could write, in the user's state directory. Windows keeps none.
#pragma once

#include <cordon/policy/heap.hpp>
#include <cordon/run/links/written_roots.hpp>
#include <cordon/run/run.hpp>

#include <string>

namespace cordon::shim {

/// Returns: the list of this user; unknown if it does not exist, or if another user may have written it.
[[nodiscard]] written_roots read_written_roots();

/// Adds the directories that a run under the policy can write, before it starts. Throws: `refused` if there is a list
/// that cannot be added to. Without a state directory there is none.
void remember_roots(const loaded_policy& p, const std::optional<project_choice>& project);

/// Returns: the path of the directory that holds the list; empty if there is none.
[[nodiscard]] std::string place_of_roots();

} // namespace cordon::shim
