// SPDX-License-Identifier: BSL-1.0
#include "program.hpp"

#include "../posix/search.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>

namespace cordon::macos_shim {
namespace {

/// Returns: 0, or the errno that execve(2) would give for this file.
[[nodiscard]] int examine_program(const std::string& path, shim::found_program& to) {
  struct stat st {};
  if (::stat(path.c_str(), &st) != 0) return errno;
  if (!S_ISREG(st.st_mode)) return EACCES;
  if (::access(path.c_str(), X_OK) != 0) return errno;
  char real[PATH_MAX];
  if (::realpath(path.c_str(), real) == nullptr) return errno;
  to.path = path;
  to.real = real;
  return 0;
}

} // namespace

shim::found_program find_program(const std::string& name, const std::string& search, const std::string& directory) {
  return shim::search_program<shim::found_program>(name, search, directory, examine_program);
}

} // namespace cordon::macos_shim
