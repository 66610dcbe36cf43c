// SPDX-License-Identifier: BSL-1.0
/// Environment variables on Windows: their names are the same in any case, and policies have them in capitals.
#pragma once

#include "../../common/environment.hpp"

#include <cordon/policy/heap.hpp>
#include <cordon/run/run.hpp>

#include <string>
#include <vector>

namespace cordon::windows_shim {

/// Throws: `refused` if the policy names a variable otherwise.
void check_variable_names(const loaded_policy& policy);

[[nodiscard]] std::vector<std::string> with_names_in_capitals(std::vector<std::string> variables);

/// The directory of Windows: hardly a program starts without it.
[[nodiscard]] std::wstring system_root();

/// Returns: the variables of the program, and SystemRoot.
[[nodiscard]] std::vector<std::wstring> variables_of(const shim::environment& e);

/// Records the names of these variables, and of those that `with_folder` sets for a confined program.
void state_variables(const shim::environment& e, bool confined, report& r);

} // namespace cordon::windows_shim
