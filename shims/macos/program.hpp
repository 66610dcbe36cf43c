// SPDX-License-Identifier: BSL-1.0
/// Finds the file of a command line's program.
#pragma once

#include "../common/run/found_program.hpp"

#include <string>

namespace cordon::macos_shim {

/// Looks `name` up in `search` (as PATH). A name with a slash is a path, relative to `directory`.
[[nodiscard]] shim::found_program find_program(const std::string& name, const std::string& search,
                                               const std::string& directory);

} // namespace cordon::macos_shim
