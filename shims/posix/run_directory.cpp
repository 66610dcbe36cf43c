// SPDX-License-Identifier: BSL-1.0
#include "run_directory.hpp"

#include <cordon/run/refused.hpp>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <memory>
#include <vector>

namespace cordon::shim {
namespace {

constexpr std::string_view prefix = "cordon-run-";

[[nodiscard]] descriptor open_directory(int at, const char* name) {
  return descriptor(::openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

/// Opens a directory only to look up names in it: a writable directory may not be listable.
[[nodiscard]] descriptor open_around(const char* name) {
#ifdef O_PATH
  constexpr int alone = O_PATH;
#else
  constexpr int alone = O_SEARCH;
#endif
  return descriptor(::open(name, alone | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

[[nodiscard]] std::vector<std::string> entries(int directory) {
  std::vector<std::string> all;
  const int copy = ::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> list(copy < 0 ? nullptr : ::fdopendir(copy), ::closedir);
  for (const dirent* e = nullptr; list && (e = ::readdir(list.get())) != nullptr;)
    if (const std::string name = e->d_name; name != "." && name != "..") all.push_back(name);
  return all;
}

[[nodiscard]] bool is_directory(int at, const std::string& name) {
  struct stat st {};
  return ::fstatat(at, name.c_str(), &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
}

/// Moves subdirectories up, so that neither the depth nor the length of a path matters. Returns: has anything changed?
bool empty(int top, const std::string& name, unsigned long& count) {
  if (!is_directory(top, name)) return false;
  ::fchmodat(top, name.c_str(), 0700, AT_SYMLINK_NOFOLLOW);
  const descriptor directory = open_directory(top, name.c_str());
  bool changed = false;
  for (const std::string& inside : directory ? entries(directory.get()) : std::vector<std::string>()) {
    if (::unlinkat(directory.get(), inside.c_str(), 0) == 0) changed = true;
    else if (is_directory(directory.get(), inside)) {
      ::fchmodat(directory.get(), inside.c_str(), 0700, AT_SYMLINK_NOFOLLOW); // it must be writable to be moved
      const std::string above = "moved-" + std::to_string(count++);
      changed = ::renameat(directory.get(), inside.c_str(), top, above.c_str()) == 0 || changed;
    }
  }
  return ::unlinkat(top, name.c_str(), AT_REMOVEDIR) == 0 || changed;
}

/// Removes the content of a directory, at any depth and with any modes; follows no link.
void clear(int directory) {
  ::fchmod(directory, 0700);
  unsigned long count = 0;
  // Each round removes one level.
  for (std::vector<std::string> all = entries(directory); !all.empty(); all = entries(directory)) {
    bool less = false;
    for (const std::string& name : all)
      if (::unlinkat(directory, name.c_str(), 0) == 0 || empty(directory, name, count)) less = true;
    if (!less) return;
  }
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
    throw refused(place + ": cannot make the run's temporary directory: " + std::strerror(error));
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
    throw refused(made.path_ + ": cannot lock the run's temporary directory: " + std::strerror(errno));
  return made;
}

run_directory::~run_directory() {
  if (!lock_) return;
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
