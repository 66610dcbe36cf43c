// SPDX-License-Identifier: BSL-1.0
/// Directories that programs may have left in any state.
#pragma once

#include "descriptor.hpp"

#include <string>
#include <vector>

namespace cordon::shim {

/// Opens a directory at a name below another one; follows no link.
[[nodiscard]] descriptor open_directory(int at, const char* name);
/// Returns: the names in a directory but `.` and `..`.
[[nodiscard]] std::vector<std::string> entries(int directory);
/// Removes the content of a directory, at any depth and with any modes; follows no link.
void clear(int directory);

} // namespace cordon::shim
