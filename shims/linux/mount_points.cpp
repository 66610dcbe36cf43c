// SPDX-License-Identifier: BSL-1.0
#include "mount_points.hpp"

#include "beneath.hpp"
#include "seen_inode.hpp"

#include <cordon/path.hpp>
#include <cordon/run/refused.hpp>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <memory>

namespace cordon::linux_shim {
namespace {

[[nodiscard]] descriptor open_own(const descriptor& around, const std::string& name) {
  return descriptor(::openat(around.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

/// Whoever removes it has it for a moment; whoever has it for longer is no run of cordon's.
[[nodiscard]] bool lock(const descriptor& directory) {
  constexpr timespec moment{0, 1'000'000};
  for (int left = 50; left > 0; --left) {
    if (::flock(directory.get(), LOCK_SH | LOCK_NB) == 0) return true;
    ::nanosleep(&moment, nullptr);
  }
  return false;
}

[[nodiscard]] bool is_gone(const descriptor& directory) {
  struct stat st {};
  return ::fstat(directory.get(), &st) == 0 && st.st_nlink == 0;
}

[[nodiscard]] bool is_empty(const descriptor& directory) {
  const int copy = ::openat(directory.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> list(copy < 0 ? nullptr : ::fdopendir(copy), ::closedir);
  for (int count = 0; list && ::readdir(list.get()) != nullptr;)
    if (++count > 2) return false; // more than `.` and `..`
  return list != nullptr;
}

} // namespace

bool mount_points::stand(const mounts::made_mount& m) {
  if (m.how == mounts::shape::way) return false;
  const std::string place(m.place);
  const bool may_go = m.inside && m.there == inode::directory;
  if (m.there != inode::absent && (!may_go || hold(place))) return false;
  make(place);
  return true;
}

void mount_points::make(const std::string& place) {
  point p;
  p.around = open_place(AT_FDCWD, std::string(path::parent(place)).c_str());
  p.name = place.substr(place.rfind('/') + 1);
  for (int left = 10; left > 0 && p.around; --left) {
    if (::mkdirat(p.around.get(), p.name.c_str(), 0755) == 0) p.made = true;
    else if (errno != EEXIST) break;
    p.own = open_own(p.around, p.name);
    if (!p.own && errno != ENOENT) break;
    if (!p.own || (lock(p.own) && is_gone(p.own))) continue;
    return points_.push_back(std::move(p));
  }
  throw refused(place + ": what hides it cannot be put there: " + std::strerror(errno));
}

bool mount_points::hold(const std::string& place) {
  point p;
  p.around = open_place(AT_FDCWD, std::string(path::parent(place)).c_str());
  p.name = place.substr(place.rfind('/') + 1);
  p.own = p.around ? open_own(p.around, p.name) : descriptor();
  if (!p.own) return errno != ENOENT;                   // one that its owner may not list is no mount point of ours
  if (!is_empty(p.own) && !is_gone(p.own)) return true; // nor is one in which something is
  if (lock(p.own) && is_gone(p.own)) return false;
  points_.push_back(std::move(p));
  return true;
}

mount_points::~mount_points() {
  for (; !points_.empty(); points_.pop_back()) {
    const point& p = points_.back();
    seen_inode mine, there;
    const descriptor now = open_place(p.around.get(), p.name.c_str());
    if (p.made && ::flock(p.own.get(), LOCK_EX | LOCK_NB) == 0 && now && look_at(p.own.get(), mine) == 0 &&
        look_at(now.get(), there) == 0 && mine == there)
      ::unlinkat(p.around.get(), p.name.c_str(), AT_REMOVEDIR); // if it is still empty
  }
}

} // namespace cordon::linux_shim
