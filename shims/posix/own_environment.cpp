// SPDX-License-Identifier: BSL-1.0
#include "../common/environment.hpp"

extern "C" char** environ; // no POSIX header declares it, but unistd.h of glibc does

namespace cordon::shim {

std::vector<std::string> own_environment() {
  std::vector<std::string> all;
  for (char** e = environ; e != nullptr && *e != nullptr; ++e) all.emplace_back(*e);
  return all;
}

} // namespace cordon::shim
