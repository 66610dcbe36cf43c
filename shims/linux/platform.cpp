// SPDX-License-Identifier: BSL-1.0
#include "../common/host.hpp"

#include <filesystem>

namespace cordon::shim {

platform this_platform() { return platform::linux_; }

std::string own_program() {
  std::error_code ec;
  return std::filesystem::read_symlink("/proc/self/exe", ec).string();
}

} // namespace cordon::shim
