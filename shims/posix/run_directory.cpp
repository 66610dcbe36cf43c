// SPDX-License-Identifier: BSL-1.0
#include "run_directory.hpp"

#include <cordon/run/refused.hpp>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
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

/// Directories in the directory are moved up, so that neither the depth nor the length of a path matters.
/// True if anything has changed.
bool empty(int top, const std::string& name, unsigned long& count) {
  if (!is_directory(top, name)) return false;
  ::fchmodat(top, name.c_str(), 0700, 0);
  const descriptor directory = open_directory(top, name.c_str());
  bool changed = false;
  for (const std::string& inside : directory ? entries(directory.get()) : std::vector<std::string>()) {
    if (::unlinkat(directory.get(), inside.c_str(), 0) == 0) changed = true;
    else if (is_directory(directory.get(), inside)) {
      ::fchmodat(directory.get(), inside.c_str(), 0700, 0); // to be moved it must be writable
      const std::string above = "moved-" + std::to_string(count++);
      changed = ::renameat(directory.get(), inside.c_str(), top, above.c_str()) == 0 || changed;
    }
  }
  return ::unlinkat(top, name.c_str(), AT_REMOVEDIR) == 0 || changed;
}

} // namespace

run_directory run_directory::make() {
  const char* const named = std::getenv("TMPDIR");
  return make(named != nullptr && named[0] == '/' ? named : "/tmp");
}

run_directory run_directory::make(const std::string& base) {
  std::string name = std::string(base).append("/").append(prefix) + "XXXXXX";
  if (::mkdtemp(name.data()) == nullptr)
    throw refused(name + ": cannot make the run's temporary directory: " + std::strerror(errno));
  run_directory made;
  made.path_ = std::filesystem::canonical(name).string();
  made.lock_ = open_directory(AT_FDCWD, made.path_.c_str());
  if (!made.lock_ || ::flock(made.lock_.get(), LOCK_SH | LOCK_NB) != 0)
    throw refused(name + ": cannot lock the run's temporary directory: " + std::strerror(errno));
  return made;
}

run_directory::~run_directory() {
  if (!path_.empty()) remove_tree(path_);
}

void run_directory::sweep_beside() const {
  if (path_.empty()) return;
  const std::string base = path_.substr(0, path_.rfind('/') + 1);
  const descriptor top = open_directory(AT_FDCWD, base.c_str());
  if (!top) return;
  for (const std::string& name : entries(top.get())) {
    if (!name.starts_with(prefix)) continue;
    const descriptor old = open_directory(top.get(), name.c_str());
    struct stat st {};
    // A new one may not have been locked yet.
    constexpr long new_for = 60; // seconds
    const bool mine = old && ::fstat(old.get(), &st) == 0 && st.st_uid == ::geteuid();
    if (mine && st.st_mtime + new_for < ::time(nullptr) && ::flock(old.get(), LOCK_EX | LOCK_NB) == 0)
      remove_tree(base + name);
  }
}

bool remove_tree(const std::string& directory) {
  ::chmod(directory.c_str(), 0700);
  unsigned long count = 0;
  if (const descriptor top = open_directory(AT_FDCWD, directory.c_str()); top)
    // Each round takes away one level.
    for (std::vector<std::string> all = entries(top.get()); !all.empty();) {
      bool less = false;
      for (const std::string& name : all) {
        if (::unlinkat(top.get(), name.c_str(), 0) == 0 || empty(top.get(), name, count)) less = true;
      }
      if (!less) return false;
      all = entries(top.get());
    }
  return ::rmdir(directory.c_str()) == 0;
}

} // namespace cordon::shim
