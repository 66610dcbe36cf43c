// SPDX-License-Identifier: BSL-1.0
/// Reads a whole file, such as one of procfs.
#pragma once

#include "descriptor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace cordon::linux_shim {

/// Returns: the content of a file, up to the first error. Not by a stream: the first stream of a process initializes
/// the library's locales, which delays a short run.
[[nodiscard]] inline std::string read_file(const std::string& path) {
  const descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  for (char block[8192]; file;) {
    const ssize_t size = ::read(file.get(), block, sizeof block);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break; // procfs fails with an error once the process has ended
    text.append(block, static_cast<std::size_t>(size));
  }
  return text;
}

} // namespace cordon::linux_shim
