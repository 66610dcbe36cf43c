// SPDX-License-Identifier: BSL-1.0
/// When a warning was given last: a file of a few digits in the user's state directory. Whoever cannot write it warns each
/// time.
#include "../common/host.hpp"
#include "descriptor.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <ctime>

namespace cordon::shim {
namespace {

/// A directory of this user's at a name below another one, made where it is missing.
[[nodiscard]] descriptor own_directory(int at, const char* name, bool may_be_made) {
  if (may_be_made) (void)::mkdirat(at, name, 0700);
  descriptor made(::openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat st {};
  if (!made || ::fstat(made.get(), &st) != 0 || st.st_uid != ::geteuid() || (st.st_mode & S_IWOTH) != 0) return {};
  return made;
}

/// $XDG_STATE_HOME/cordon, or ~/.local/state/cordon (XDG Base Directory Specification 0.8).
[[nodiscard]] descriptor state_directory() {
  if (const char* const state = std::getenv("XDG_STATE_HOME"); state != nullptr && state[0] == '/') {
    const descriptor top = own_directory(AT_FDCWD, state, true);
    return top ? own_directory(top.get(), "cordon", true) : descriptor();
  }
  const std::string home = home_place();
  if (home.empty()) return {};
  descriptor at = own_directory(AT_FDCWD, home.c_str(), false);
  for (const char* const name : {".local", "state", "cordon"})
    if (at) at = own_directory(at.get(), name, true);
  return at;
}

/// A file of this user's alone, locked; nothing where there is none.
[[nodiscard]] descriptor own_file(const descriptor& in, const std::string& name) {
  descriptor file(::openat(in.get(), name.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
  struct stat st {};
  if (!file || ::fstat(file.get(), &st) != 0 || !S_ISREG(st.st_mode) || st.st_uid != ::geteuid() || st.st_nlink != 1 ||
      ::flock(file.get(), LOCK_EX | LOCK_NB) != 0)
    return {};
  return file;
}

} // namespace

bool is_first_within(const std::string& what, std::uint32_t seconds) {
  const descriptor directory = state_directory();
  if (!directory) return true;
  const descriptor file = own_file(directory, what);
  if (!file) return true;
  char text[24] = {};
  const ssize_t size = ::pread(file.get(), text, sizeof text, 0);
  const long long now = std::time(nullptr);
  long long last = 0;
  if (size > 0) (void)std::from_chars(text, text + size, last);
  if (last <= now && now - last < static_cast<long long>(seconds)) return false;
  const std::string stamp = std::to_string(now);
  if (::ftruncate(file.get(), 0) == 0) (void)!::pwrite(file.get(), stamp.data(), stamp.size(), 0);
  return true;
}

} // namespace cordon::shim
