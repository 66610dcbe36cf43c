// SPDX-License-Identifier: BSL-1.0
/// The name of a descriptor in procfs, without an allocation: for the child, and for names that another process opens.
/// All other code uses `descriptor_path`.
#pragma once

#include <charconv>
#include <string_view>

namespace cordon::linux_shim {

/// "/proc/self/fd/N", for the process that opens it.
struct descriptor_link {
  static constexpr std::string_view directory = "/proc/self/fd/";
  char text[directory.size() + 11]{};

  explicit descriptor_link(int fd) noexcept {
    std::to_chars(text + directory.copy(text, directory.size()), text + sizeof text - 1, fd);
  }
};

} // namespace cordon::linux_shim
