// SPDX-License-Identifier: BSL-1.0
/// Finds the file of a command line's program.
#pragma once

#include "../child/descriptor.hpp"

#include <cordon/run/outcome.hpp>

#include <string>

namespace cordon::linux_shim {

/// A program file, held by descriptor, or the reason why it was not found.
struct found_program {
  descriptor file;             ///< O_PATH
  std::string path;            ///< absolute, before resolution
  std::string real;            ///< the real path of the descriptor
  ending how = ending::exited; ///< not_found or not_executable on error
  std::string why;
};

/// Looks `name` up in `search` (as PATH). A name with a slash is a path, relative to `directory`.
[[nodiscard]] found_program find_program(const std::string& name, const std::string& search,
                                         const std::string& directory);

} // namespace cordon::linux_shim
