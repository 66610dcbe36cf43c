// SPDX-License-Identifier: BSL-1.0
/// Finds the file of a command line's program.
#pragma once

#include "../../common/run/found_program.hpp"
#include "../child/descriptor.hpp"

#include <string>

namespace cordon::linux_shim {

/// A program file that is held by its descriptor, to which `real` leads.
struct found_program : shim::found_program {
  descriptor file; ///< O_PATH
};

/// Looks `name` up in `search` (as PATH). A name with a slash is a path, relative to `directory`.
[[nodiscard]] found_program find_program(const std::string& name, const std::string& search,
                                         const std::string& directory);

} // namespace cordon::linux_shim
