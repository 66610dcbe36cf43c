// SPDX-License-Identifier: BSL-1.0
#include "program.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

namespace cordon::linux_shim {
namespace {

/// 0, or the errno that execve(2) would give for this file.
[[nodiscard]] int look_at(const std::string& path, found_program& to) {
  to.file = descriptor(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!to.file) return errno;
  struct stat st {};
  if (::fstat(to.file.get(), &st) != 0) return errno;
  if (!S_ISREG(st.st_mode)) return EACCES;
  const std::string link = "/proc/self/fd/" + std::to_string(to.file.get());
  if (::faccessat(AT_FDCWD, link.c_str(), X_OK, AT_EACCESS) != 0) return errno;
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
  const std::string base = directory.empty() || directory.back() == '/' ? directory : directory + "/";
  const auto absolute = [&](const std::string& p) {
    return p.empty() || p.front() != '/' ? std::string(base).append(p) : p;
  };
  found_program found;
  int error = ENOENT;
  if (name.find('/') != name.npos) error = look_at(absolute(name), found);
  else
    for (std::size_t from = 0; !name.empty() && from <= search.size();) {
      const std::size_t end = std::min(search.find(':', from), search.size());
      const std::string dir = search.substr(from, end - from);
      from = end + 1;
      // An empty entry means the current directory to execvp(3). A policy of somebody else's files is no place for that.
      const int e = dir.empty() ? ENOENT : look_at(absolute(std::string(dir).append("/").append(name)), found);
      if (e == 0) return found;
      if (e != ENOENT && e != ENOTDIR) error = e; // as execvp(3): a later hit wins, else this is the answer
    }
  if (error == 0) return found;
  const bool absent = error == ENOENT || error == ENOTDIR;
  found.how = absent ? ending::not_found : ending::not_executable;
  found.why = name + ": " + (absent ? "no such program" : std::string("cannot be executed: ") + std::strerror(error));
  return found;
}

} // namespace cordon::linux_shim
