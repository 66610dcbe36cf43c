// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <fstream>
#include <iterator>
#include <string>

namespace cordon::linux_shim {

/// What a file says, such as the kernel's own; empty where it cannot be read.
[[nodiscard]] inline std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace cordon::linux_shim
