// SPDX-License-Identifier: BSL-1.0
#include "run_directory.hpp"

#include "clear_directory.hpp"

#include <cordon/run/reasons.hpp>
#include <cordon/run/refused.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>

namespace cordon::shim {
namespace {

constexpr std::string_view prefix = "cordon-run-";

/// Opens a directory only to look up names in it: a writable directory may not be listable.
[[nodiscard]] descriptor open_around(const char* name) {
#ifdef O_PATH
  constexpr int alone = O_PATH;
#else
  constexpr int alone = O_SEARCH;
#endif
  return descriptor(::open(name, alone | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

/// Sets mode 0700 if the umask has removed bits of it. Returns: 0, or errno.
int open_to_owner(int at, const char* name) {
  struct stat st {};
  if (::fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) != 0) return errno;
  if ((st.st_mode & 0777) == 0700) return 0;
  return ::fchmodat(at, name, 0700, AT_SYMLINK_NOFOLLOW) == 0 ? 0 : errno;
}

/// Creates a directory under a new name. Returns: 0, or errno.
int make_directory(int at, std::string& name) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  for (int left = 100; left > 0; --left) {
    unsigned char random[6];
    if (::getentropy(random, sizeof random) != 0) return errno;
    name = prefix;
    for (const unsigned char r : random) name += letters[r % letters.size()];
    if (::mkdirat(at, name.c_str(), 0700) == 0) return open_to_owner(at, name.c_str());
    if (errno != EEXIST) return errno;
  }
  return EEXIST;
}

} // namespace

run_directory run_directory::make() {
  const char* const named = std::getenv("TMPDIR");
  return make(named != nullptr && named[0] == '/' ? named : "/tmp");
}

run_directory run_directory::make(const std::string& base) {
  const auto refuse = [&](const std::string& place, int error) {
    throw refused::because<reasons::no_temp>(place, std::strerror(error));
  };
  std::error_code ec;
  const std::string real = std::filesystem::canonical(base, ec).string();
  if (ec) refuse(base, ec.value());
  run_directory made;
  made.base_ = open_around(real.c_str());
  if (!made.base_) refuse(real, errno);
  if (const int error = make_directory(made.base_.get(), made.name_)) refuse(real, error);
  made.path_ = (real == "/" ? real : real + "/") + made.name_;
  made.lock_ = open_directory(made.base_.get(), made.name_.c_str());
  if (!made.lock_ || ::flock(made.lock_.get(), LOCK_SH | LOCK_NB) != 0)
    throw refused::because<reasons::temp_not_locked>(made.path_, std::strerror(errno));
  return made;
}

run_directory run_directory::keep(descriptor directory, std::string path) {
  run_directory kept;
  kept.lock_ = std::move(directory);
  kept.path_ = std::move(path);
  return kept;
}

run_directory::~run_directory() {
  if (!base_ || !lock_) return;
  clear(lock_.get());
  ::unlinkat(base_.get(), name_.c_str(), AT_REMOVEDIR);
}

void run_directory::sweep_beside() const {
  if (!base_) return;
  for (const std::string& name : entries(base_.get())) {
    if (!name.starts_with(prefix)) continue;
    const descriptor old = open_directory(base_.get(), name.c_str());
    struct stat st {};
    // Another process may have created it and not locked it yet.
    constexpr long new_for = 60; // seconds
    const bool mine = old && ::fstat(old.get(), &st) == 0 && st.st_uid == ::geteuid();
    if (!mine || st.st_mtime + new_for >= ::time(nullptr) || ::flock(old.get(), LOCK_EX | LOCK_NB) != 0) continue;
    clear(old.get());
    ::unlinkat(base_.get(), name.c_str(), AT_REMOVEDIR);
  }
}

} // namespace cordon::shim
