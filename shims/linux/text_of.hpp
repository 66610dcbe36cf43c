// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <fstream>
#include <sstream>
#include <string>

namespace cordon::linux_shim {

/// What a file says, such as the kernel's own; empty where it cannot be read.
[[nodiscard]] inline std::string text_of(const std::string& path) {
  const std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf(); // which fails without a throw where a process has just ended
  return text.str();
}

} // namespace cordon::linux_shim
