// SPDX-License-Identifier: BSL-1.0
/// Finds the file of a command line.
#pragma once

#include "../../common/run/found_program.hpp"

#include <string>

namespace cordon::windows_shim {

/// Looks a name up in `search` (as PATH). A name with a slash or a drive is a path relative to `directory`. A name
/// without an extension also matches .exe and .com. Scripts of cmd.exe are not executable: no quoting keeps their
/// arguments from being read as commands. Returns: the resolved path alone.
[[nodiscard]] shim::found_program find_program(const std::string& name, const std::string& search,
                                               const std::string& directory);

} // namespace cordon::windows_shim
