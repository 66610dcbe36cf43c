// SPDX-License-Identifier: BSL-1.0
#include "mount_points.hpp"

#include "../../posix/state_directory.hpp"
#include "../child/inode_id.hpp"
#include "../files/path_resolver.hpp"

#include <cordon/policy/path.hpp>
#include <cordon/run/refused.hpp>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <memory>

namespace cordon::linux_shim {
namespace {

[[nodiscard]] descriptor open_own(const descriptor& around, const std::string& name) {
  return descriptor(::openat(around.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

/// A run that removes the directory holds the lock briefly. A longer lock is not held by a run of cordon.
[[nodiscard]] bool lock(const descriptor& directory) {
  constexpr timespec moment{0, 1'000'000};
  for (int left = 50; left > 0; --left) {
    if (::flock(directory.get(), LOCK_SH | LOCK_NB) == 0) return true;
    ::nanosleep(&moment, nullptr);
  }
  return false;
}

constexpr mode_t own_mode = S_ISVTX | 0711; // no other program gives an empty directory this mode
constexpr const char* journal_name = "mount-points";

/// Opens the journal. Returns: empty if this user has none, or if another process keeps it locked for too long.
[[nodiscard]] descriptor journal(shim::missing_directory how) {
  const shim::descriptor directory = shim::state_directory(how);
  if (!directory) return {};
  struct stat st {};
  if (how == shim::missing_directory::stays && ::fstatat(directory.get(), journal_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
    return {};
  constexpr timespec moment{0, 1'000'000};
  for (int left = 50; left > 0; --left) {
    if (shim::descriptor file = shim::own_file(directory, journal_name)) return descriptor(file.release());
    ::nanosleep(&moment, nullptr);
  }
  return {};
}

/// Adds a path to the journal before the directory is made. A NUL, which no path contains, ends each path.
void note(const std::string& place) {
  const descriptor to = journal(shim::missing_directory::made);
  if (to && ::lseek(to.get(), 0, SEEK_END) >= 0) (void)!::write(to.get(), place.c_str(), place.size() + 1);
}

[[nodiscard]] bool is_ours(const descriptor& directory) {
  struct stat st {};
  return ::fstat(directory.get(), &st) == 0 && (st.st_mode & 07777) == own_mode && st.st_uid == ::geteuid();
}

/// Removes an unused mount point. Returns: false if a run uses it or it is not empty.
[[nodiscard]] bool remove_own(const descriptor& around, const std::string& name, const descriptor& own) {
  if (!is_ours(own)) return true;
  if (::flock(own.get(), LOCK_EX | LOCK_NB) != 0) return false;
  inode_id mine, there;
  const descriptor now = open_place(around.get(), name.c_str());
  const bool same = now && read_inode_id(own.get(), mine) == 0 && read_inode_id(now.get(), there) == 0 && mine == there;
  return !same || ::unlinkat(around.get(), name.c_str(), AT_REMOVEDIR) == 0 || errno == ENOENT;
}

[[nodiscard]] bool remove_at(const std::string& place) {
  const descriptor around = open_place(AT_FDCWD, std::string(path::parent(place)).c_str());
  const std::string name = place.substr(place.rfind('/') + 1);
  const descriptor own = around ? open_own(around, name) : descriptor();
  return !own || remove_own(around, name, own);
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

bool mount_points::stand(const mounts::planned_mount& m) {
  if (m.how == mounts::mount_method::way) return false;
  const std::string place(m.place);
  const bool may_go = m.inside && m.there == file_type::directory;
  if (m.there != file_type::absent && (!may_go || hold(place))) return false;
  make(place);
  return true;
}

void mount_points::make(const std::string& place) {
  point p;
  p.around = open_place(AT_FDCWD, std::string(path::parent(place)).c_str());
  p.name = place.substr(place.rfind('/') + 1);
  note(place);
  for (int left = 10; left > 0 && p.around; --left) {
    const bool made = ::mkdirat(p.around.get(), p.name.c_str(), 0711) == 0;
    if (!made && errno != EEXIST) break;
    p.own = open_own(p.around, p.name);
    if (made && p.own && ::fchmod(p.own.get(), own_mode) != 0) break;
    if (!p.own && errno != ENOENT) break;
    if (!p.own || (lock(p.own) && is_gone(p.own))) continue;
    return points_.push_back(std::move(p));
  }
  throw refused(place + ": cannot create a mount point to hide it: " + std::strerror(errno));
}

bool mount_points::hold(const std::string& place) {
  point p;
  p.around = open_place(AT_FDCWD, std::string(path::parent(place)).c_str());
  p.name = place.substr(place.rfind('/') + 1);
  p.own = p.around ? open_own(p.around, p.name) : descriptor();
  if (!p.own) return errno != ENOENT; // not listable by its owner: not a mount point of cordon
  // A directory with entries is not one either, except for another run's mount point inside a mount point of cordon.
  if (!is_empty(p.own) && !is_gone(p.own) && !is_ours(p.own)) return true;
  if (lock(p.own) && is_gone(p.own)) return false;
  points_.push_back(std::move(p));
  return true;
}

mount_points::~mount_points() {
  for (; !points_.empty(); points_.pop_back()) {
    const point& p = points_.back();
    (void)remove_own(p.around, p.name, p.own);
  }
}

void mount_points::sweep() {
  const descriptor file = journal(shim::missing_directory::stays);
  if (!file) return;
  std::string all, left;
  for (char block[4096];;) {
    const ssize_t size = ::read(file.get(), block, sizeof block);
    if (size <= 0) break;
    all.append(block, static_cast<std::size_t>(size));
  }
  // A path without a final NUL was not fully written, and its directory was not made.
  std::vector<std::string> places;
  for (std::size_t at = 0, end = 0; (end = all.find('\0', at)) != all.npos; at = end + 1)
    places.push_back(all.substr(at, end - at));
  std::reverse(places.begin(), places.end()); // inner directories first
  std::erase_if(places, [](const std::string& place) { return !place.starts_with('/') || remove_at(place); });
  for (; !places.empty(); places.pop_back()) left += places.back() + '\0';
  if (left == all) return;
  if (::ftruncate(file.get(), 0) == 0 && !left.empty()) (void)!::pwrite(file.get(), left.data(), left.size(), 0);
}

} // namespace cordon::linux_shim
