// SPDX-License-Identifier: BSL-1.0
#include "program.hpp"

#include "../../posix/search.hpp"

#include <cordon/run/refused.hpp>

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

namespace cordon::linux_shim {
namespace {

/// Returns: 0, or the errno that execve(2) would give for this file.
[[nodiscard]] int examine_program(const std::string& path, found_program& to) {
  to.file = descriptor(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!to.file) return errno;
  struct stat st {};
  if (::fstat(to.file.get(), &st) != 0) return errno;
  if (!S_ISREG(st.st_mode)) return EACCES;
  const std::string link = "/proc/self/fd/" + std::to_string(to.file.get());
  if (::faccessat(AT_FDCWD, link.c_str(), X_OK, AT_EACCESS) != 0) {
    if (errno == ENOENT) throw refused("/proc is not mounted: where a name leads cannot be seen");
    return errno;
  }
  std::string real(4096, '\0');
  const ssize_t n = ::readlink(link.c_str(), real.data(), real.size());
  if (n < 0) return errno;
  real.resize(static_cast<std::size_t>(n));
  to.path = path;
  to.real = real;
  return 0;
}

} // namespace

found_program find_program(const std::string& name, const std::string& search, const std::string& directory) {
  return shim::search_program<found_program>(name, search, directory, examine_program);
}

} // namespace cordon::linux_shim
