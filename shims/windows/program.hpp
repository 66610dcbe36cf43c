// SPDX-License-Identifier: BSL-1.0
/// Which file a command line means.
#pragma once

#include <cordon/run/outcome.hpp>

#include <string>

namespace cordon::windows_shim {

/// A file found, or why there is none.
struct found_program {
  std::string place;           ///< where it really is
  ending how = ending::exited; ///< not_found or not_executable if there is none
  std::string why;
};

/// Looks a name up in `search` (as PATH), or takes it as a path if it has a slash or a drive, relative to the directory, a
/// place. Without an ending it may have .exe or .com. Scripts of cmd.exe are not executable: no quoting keeps their
/// arguments from being read as commands.
[[nodiscard]] found_program find_program(const std::string& name, const std::string& search,
                                         const std::string& directory);

} // namespace cordon::windows_shim
