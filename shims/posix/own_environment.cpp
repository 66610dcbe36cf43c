// SPDX-License-Identifier: BSL-1.0
#include "../common/environment.hpp"

extern char** environ; // which no header of POSIX declares

namespace cordon::shim {

std::vector<std::string> own_environment() {
  std::vector<std::string> all;
  for (char** e = environ; e != nullptr && *e != nullptr; ++e) all.emplace_back(*e);
  return all;
}

} // namespace cordon::shim
