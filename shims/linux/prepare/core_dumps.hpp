// SPDX-License-Identifier: BSL-1.0
/// The kernel's handling of the memory of a crashed program.
#pragma once

#include "../child/read_file.hpp"

#include <string>

namespace cordon::linux_shim {

enum class core_handler : std::uint8_t {
  file,   ///< a file in the program's working directory, up to RLIMIT_CORE bytes
  pipe,   ///< a program outside the sandbox, for every RLIMIT_CORE except exactly 1
  socket, ///< a server outside the sandbox (Linux 6.16), for every RLIMIT_CORE
};

/// Parses kernel.core_pattern, see core(5). An unreadable setting counts as a pipe.
[[nodiscard]] inline core_handler core_handler_of(const std::string& core_pattern) {
  if (core_pattern.starts_with('@')) return core_handler::socket;
  return core_pattern.empty() || core_pattern.starts_with('|') ? core_handler::pipe : core_handler::file;
}
[[nodiscard]] inline core_handler core_handler_here() {
  return core_handler_of(read_file("/proc/sys/kernel/core_pattern"));
}

} // namespace cordon::linux_shim
