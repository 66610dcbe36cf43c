// SPDX-License-Identifier: BSL-1.0
#include "program.hpp"

#include "../../posix/search.hpp"
#include "../files/path_resolver.hpp"

#include <cordon/run/reasons.hpp>
#include <cordon/run/refused.hpp>

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <optional>
#include <utility>

namespace cordon::linux_shim {
namespace {

/// Returns: 0, or the errno that execve(2) would give for this file.
[[nodiscard]] int examine_program(const std::string& path, found_program& to) {
  to.file = descriptor(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!to.file) return errno;
  struct stat st {};
  if (::fstat(to.file.get(), &st) != 0) return errno;
  if (!S_ISREG(st.st_mode)) return EACCES;
  const std::string link = descriptor_path(to.file.get());
  if (::faccessat(AT_FDCWD, link.c_str(), X_OK, AT_EACCESS) != 0) {
    if (errno == ENOENT) throw refused::because<reasons::proc_missing>();
    return errno;
  }
  std::optional<std::string> real = read_link(AT_FDCWD, link.c_str());
  if (!real) return errno;
  to.path = path;
  to.real = *std::move(real);
  return 0;
}

} // namespace

found_program find_program(const std::string& name, const std::string& search, const std::string& directory) {
  return shim::search_program<found_program>(name, search, directory, examine_program);
}

} // namespace cordon::linux_shim
