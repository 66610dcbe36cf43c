// SPDX-License-Identifier: BSL-1.0
#include "../common/host.hpp"

#include <mach-o/dyld.h>

#include <cstdint>

namespace cordon::shim {

platform this_platform() { return platform::macos; }

std::string own_program() {
  std::uint32_t size = 0;
  (void)::_NSGetExecutablePath(nullptr, &size);
  std::string name(size, '\0');
  if (size == 0 || ::_NSGetExecutablePath(name.data(), &size) != 0) return {};
  name.resize(name.find('\0'));
  return name;
}

} // namespace cordon::shim
