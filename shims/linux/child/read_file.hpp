// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "descriptor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace cordon::linux_shim {

/// What a file says, such as the kernel's own; as far as it can be read. No stream: the first one in a process makes the
/// library's locales, which a short run would wait for.
[[nodiscard]] inline std::string read_file(const std::string& path) {
  const descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  for (char block[8192]; file;) {
    const ssize_t size = ::read(file.get(), block, sizeof block);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break; // an error where a process has just ended
    text.append(block, static_cast<std::size_t>(size));
  }
  return text;
}

} // namespace cordon::linux_shim
