// SPDX-License-Identifier: BSL-1.0
/// What the kernel does with the memory of a program that crashes.
#pragma once

#include "../child/read_file.hpp"

#include <string>

namespace cordon::linux_shim {

enum class core_handler : std::uint8_t {
  file,   ///< a file in the program's own directory, as far as RLIMIT_CORE lets it be written
  pipe,   ///< a program outside, whatever RLIMIT_CORE says but for exactly 1
  socket, ///< a server outside (Linux 6.16), whatever RLIMIT_CORE says
};

/// core(5). Where the setting cannot be read it may be a pipe.
[[nodiscard]] inline core_handler core_handler_of(const std::string& core_pattern) {
  if (core_pattern.starts_with('@')) return core_handler::socket;
  return core_pattern.empty() || core_pattern.starts_with('|') ? core_handler::pipe : core_handler::file;
}
[[nodiscard]] inline core_handler core_handler_here() {
  return core_handler_of(read_file("/proc/sys/kernel/core_pattern"));
}

} // namespace cordon::linux_shim
