// SPDX-License-Identifier: BSL-1.0
#include "state_directory.hpp"

#include "../common/host.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace cordon::shim {
namespace {

[[nodiscard]] descriptor own_directory(int at, const char* name, bool may_be_made) {
  if (may_be_made) (void)::mkdirat(at, name, 0700);
  return open_own_directory(at, name);
}

} // namespace

descriptor open_own_directory(int at, const char* name) {
  descriptor made(::openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat st {};
  if (!made || ::fstat(made.get(), &st) != 0 || st.st_uid != ::geteuid() || (st.st_mode & S_IWOTH) != 0) return {};
  return made;
}

std::string state_place() {
  const char* const state = std::getenv("XDG_STATE_HOME");
  const std::string top = state != nullptr && state[0] == '/' ? state : home_place() + "/.local/state";
  std::error_code ec;
  return std::filesystem::canonical(top + "/cordon", ec).string();
}

descriptor state_directory(missing_directory how) {
  const bool made = how == missing_directory::made;
  if (const char* const state = std::getenv("XDG_STATE_HOME"); state != nullptr && state[0] == '/') {
    const descriptor top = own_directory(AT_FDCWD, state, made);
    return top ? own_directory(top.get(), "cordon", made) : descriptor();
  }
  const std::string home = home_place();
  if (home.empty()) return {};
  descriptor at = own_directory(AT_FDCWD, home.c_str(), false);
  for (const char* const name : {".local", "state", "cordon"})
    if (at) at = own_directory(at.get(), name, made);
  return at;
}

descriptor own_file(const descriptor& in, const std::string& name) {
  descriptor file(::openat(in.get(), name.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
  struct stat st {};
  if (!file || ::fstat(file.get(), &st) != 0 || !S_ISREG(st.st_mode) || st.st_uid != ::geteuid() || st.st_nlink != 1 ||
      ::flock(file.get(), LOCK_EX | LOCK_NB) != 0)
    return {};
  return file;
}

} // namespace cordon::shim
