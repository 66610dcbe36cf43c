// SPDX-License-Identifier: BSL-1.0
/// The limits of a job, in the system's form.
#pragma once

#include <cordon/backend/appcontainer/rules.hpp>

#include <windows.h>

namespace cordon::windows_shim {

[[nodiscard]] JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits_of(const appcontainer::job& j);

/// Reads the limits of a job back. Returns: 0, `not_in_force` if they differ, or another error.
[[nodiscard]] DWORD see_numbers(HANDLE job, const appcontainer::job& limits);

/// Does the system keep these limits of a job? Sets them and reads them back.
[[nodiscard]] bool holds(const appcontainer::job& limits);

} // namespace cordon::windows_shim
