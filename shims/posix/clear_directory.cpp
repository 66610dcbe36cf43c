// SPDX-License-Identifier: BSL-1.0
#include "clear_directory.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>

namespace cordon::shim {

descriptor open_directory(int at, const char* name) {
  return descriptor(::openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

std::vector<std::string> entries(int directory) {
  std::vector<std::string> all;
  const int copy = ::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> list(copy < 0 ? nullptr : ::fdopendir(copy), ::closedir);
  for (const dirent* e = nullptr; list && (e = ::readdir(list.get())) != nullptr;)
    if (const std::string name = e->d_name; name != "." && name != "..") all.push_back(name);
  return all;
}

namespace {

[[nodiscard]] bool is_directory(int at, const std::string& name) {
  struct stat st {};
  return ::fstatat(at, name.c_str(), &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
}

/// Moves subdirectories up, so that neither the depth nor the length of a path matters. Returns: has anything changed?
bool empty(int top, const std::string& name, unsigned long& count) {
  if (!is_directory(top, name)) return false;
  (void)!::fchmodat(top, name.c_str(), 0700, AT_SYMLINK_NOFOLLOW);
  const descriptor directory = open_directory(top, name.c_str());
  bool changed = false;
  for (const std::string& inside : directory ? entries(directory.get()) : std::vector<std::string>()) {
    if (::unlinkat(directory.get(), inside.c_str(), 0) == 0) changed = true;
    else if (is_directory(directory.get(), inside)) {
      (void)!::fchmodat(directory.get(), inside.c_str(), 0700, AT_SYMLINK_NOFOLLOW); // it must be writable to be moved
      const std::string above = "moved-" + std::to_string(count++);
      changed = ::renameat(directory.get(), inside.c_str(), top, above.c_str()) == 0 || changed;
    }
  }
  return ::unlinkat(top, name.c_str(), AT_REMOVEDIR) == 0 || changed;
}

} // namespace

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

} // namespace cordon::shim
