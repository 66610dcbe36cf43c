// SPDX-License-Identifier: BSL-1.0
/// Which file a command line means.
#pragma once

#include "../child/descriptor.hpp"

#include <cordon/run/outcome.hpp>

#include <string>

namespace cordon::linux_shim {

/// A file found, held by descriptor; or why there is none.
struct found_program {
  descriptor file;             ///< O_PATH
  std::string path;            ///< as found, absolute
  std::string real;            ///< where the descriptor really is
  ending how = ending::exited; ///< not_found or not_executable if there is none
  std::string why;
};

/// Looks a name up in `search` (as PATH), or takes it as a path if it has a slash, relative to the directory.
[[nodiscard]] found_program find_program(const std::string& name, const std::string& search,
                                         const std::string& directory);

} // namespace cordon::linux_shim
