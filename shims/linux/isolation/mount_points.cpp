// SPDX-License-Identifier: BSL-1.0
#include "mount_points.hpp"

#include "../../posix/state_directory.hpp"
#include "../files/path_resolver.hpp"

#include <cordon/policy/path.hpp>
#include <cordon/run/reasons.hpp>
#include <cordon/run/refused.hpp>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <memory>
#include <optional>
#include <utility>

namespace cordon::linux_shim {
namespace {

constexpr const char* journal_name = "mount-points";

// No other program gives an empty directory such a mode, or a file: the bit has no effect on it. Other users of the
// project must be able to list its directories; git warns about one that it cannot.
constexpr mode_t directory_mode = S_ISVTX | 0755, file_mode = S_ISVTX | 0644;
constexpr std::string_view here_text = ".\n";

/// Tries for a moment, about 50 ms.
template <class Try> [[nodiscard]] bool succeeds_soon(Try&& attempt) {
  constexpr timespec moment{0, 1'000'000};
  for (int left = 50; left > 0; --left) {
    if (attempt()) return true;
    ::nanosleep(&moment, nullptr);
  }
  return false;
}

/// Opens the journal, locked. Returns: empty if this user has none, or if another process keeps it locked for too long.
[[nodiscard]] descriptor journal(shim::missing_directory how) {
  const shim::descriptor directory = shim::state_directory(how);
  if (!directory) return {};
  struct stat st {};
  if (how == shim::missing_directory::stays && ::fstatat(directory.get(), journal_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
    return {};
  descriptor file;
  (void)succeeds_soon([&] {
    if (shim::descriptor own = shim::own_file(directory, journal_name)) file = descriptor(own.release());
    return static_cast<bool>(file);
  });
  return file;
}

[[nodiscard]] std::string content_of(const descriptor& file) {
  std::string all;
  for (char block[4096];;) {
    const ssize_t size = ::pread(file.get(), block, sizeof block, static_cast<off_t>(all.size()));
    if (size <= 0) return all;
    all.append(block, static_cast<std::size_t>(size));
  }
}

void replace_content(const descriptor& file, const std::string& text) {
  if (::ftruncate(file.get(), 0) == 0 && !text.empty()) (void)!::pwrite(file.get(), text.data(), text.size(), 0);
}

/// A NUL, which no path contains, ends each path. One without it was not fully written, and nothing was made there.
[[nodiscard]] std::vector<std::string> paths_in(const std::string& journal) {
  std::vector<std::string> all;
  for (std::size_t at = 0, end = 0; (end = journal.find('\0', at)) != journal.npos; at = end + 1)
    all.push_back(journal.substr(at, end - at));
  return all;
}

[[nodiscard]] std::string journal_of(const std::vector<std::string>& places) {
  std::string all;
  for (const std::string& place : places) all += place + '\0';
  return all;
}

[[nodiscard]] descriptor open_own(const descriptor& around, const std::string& name) {
  return descriptor(::openat(around.get(), name.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
}

[[nodiscard]] std::string name_of(const std::string& place) { return place.substr(place.rfind('/') + 1); }

[[nodiscard]] std::optional<struct stat> status_of(const descriptor& own) {
  struct stat st {};
  return ::fstat(own.get(), &st) == 0 ? std::optional(st) : std::nullopt;
}

[[nodiscard]] bool is_ours(const struct stat& st) {
  static const uid_t self = ::geteuid();
  if (st.st_uid != self) return false;
  if (S_ISDIR(st.st_mode)) return (st.st_mode & 07777) == directory_mode;
  const bool unchanged = st.st_size == 0 || st.st_size == static_cast<off_t>(here_text.size());
  return S_ISREG(st.st_mode) && (st.st_mode & 07777) == file_mode && unchanged && st.st_nlink <= 1;
}

[[nodiscard]] bool is_empty(const descriptor& directory) {
  const int copy = ::openat(directory.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> list(copy < 0 ? nullptr : ::fdopendir(copy), ::closedir);
  for (int count = 0; list && ::readdir(list.get()) != nullptr;)
    if (++count > 2) return false; // more than `.` and `..`
  return list != nullptr;
}

/// A run that removes the mount point holds the lock briefly. A longer lock is not held by a run of cordon.
[[nodiscard]] bool lock(const descriptor& own) {
  return succeeds_soon([&] { return ::flock(own.get(), LOCK_SH | LOCK_NB) == 0; });
}

/// Removes an unused mount point. Returns: false if a run uses it or it is not empty.
[[nodiscard]] bool remove_own(const descriptor& around, const std::string& name, const descriptor& own) {
  const std::optional<struct stat> st = status_of(own);
  if (!st || !is_ours(*st)) return true;
  if (::flock(own.get(), LOCK_EX | LOCK_NB) != 0) return false;
  struct stat now {};
  const bool same = ::fstatat(around.get(), name.c_str(), &now, AT_SYMLINK_NOFOLLOW) == 0 && now.st_ino == st->st_ino &&
                    now.st_dev == st->st_dev;
  return !same || ::unlinkat(around.get(), name.c_str(), S_ISDIR(st->st_mode) ? AT_REMOVEDIR : 0) == 0 ||
         errno == ENOENT;
}

[[nodiscard]] bool remove_at(const std::string& place) {
  const descriptor around = open_place(AT_FDCWD, std::string(path::parent(place)).c_str());
  const descriptor own = around ? open_own(around, name_of(place)) : descriptor();
  return !own || remove_own(around, name_of(place), own);
}

/// Removes the mount points of killed runs. Returns: the paths that a run still uses.
[[nodiscard]] std::vector<std::string> swept(std::vector<std::string> places) {
  std::reverse(places.begin(), places.end()); // inner directories first
  std::erase_if(places, [](const std::string& place) { return !place.starts_with('/') || remove_at(place); });
  std::reverse(places.begin(), places.end());
  return places;
}

/// Sets the mode, unless the umask has left it as it was asked for.
[[nodiscard]] bool has_mode(const descriptor& own, mode_t mode) {
  const std::optional<struct stat> st = status_of(own);
  return st && ((st->st_mode & 07777) == mode || ::fchmod(own.get(), mode) == 0);
}

/// Makes an empty directory or a file. Returns: the open mount point, also if another run has just made it; empty if
/// that failed (errno), with ENOENT if it has been removed again.
[[nodiscard]] descriptor made_at(const descriptor& around, const std::string& name, placeholder form) {
  if (form == placeholder::directory) {
    const bool made = ::mkdirat(around.get(), name.c_str(), directory_mode) == 0;
    if (!made && errno != EEXIST) return {};
    descriptor own = open_own(around, name);
    return made && own && !has_mode(own, directory_mode) ? descriptor() : std::move(own);
  }
  // Written before it has its name: git reads a file `commondir` as soon as it exists.
  descriptor own(::openat(around.get(), ".", O_TMPFILE | O_RDWR | O_CLOEXEC, file_mode));
  const bool unnamed = static_cast<bool>(own); // some file systems lack O_TMPFILE
  if (!unnamed)
    own = descriptor(::openat(around.get(), name.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, file_mode));
  if (!own) return errno == EEXIST ? open_own(around, name) : descriptor();
  const std::string_view text = form == placeholder::here ? here_text : std::string_view();
  if (!text.empty() && ::write(own.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) return {};
  if (!has_mode(own, file_mode)) return {};
  if (!unnamed) return own;
  const std::string link = "/proc/self/fd/" + std::to_string(own.get());
  if (::linkat(AT_FDCWD, link.c_str(), around.get(), name.c_str(), AT_SYMLINK_FOLLOW) == 0) return own;
  return errno == EEXIST ? open_own(around, name) : descriptor();
}

[[nodiscard]] found_inode found_as(const struct stat& st) {
  const bool is_directory = S_ISDIR(st.st_mode);
  return {is_directory ? file_type::directory : file_type::file,
          {st.st_ino, major(st.st_dev), minor(st.st_dev), st.st_mode & S_IFMT},
          0};
}

} // namespace

mount_points::mount_points(const std::vector<project_setting>& settings) {
  for (const project_setting& s : settings)
    if (s.missing != placeholder::none) settings_.push_back(s);
}

placeholder mount_points::form_of(const std::string& place) const {
  const auto s =
      std::find_if(settings_.begin(), settings_.end(), [&](const auto& each) { return each.place == place; });
  return s == settings_.end() ? placeholder::directory : s->missing;
}

void mount_points::note(const std::string& place) {
  if (!noted_.insert(place).second) return;
  if (!journal_) {
    journal_ = journal(shim::missing_directory::made);
    if (!journal_) return;
    const std::string before = content_of(journal_);
    if (!before.empty()) replace_content(journal_, journal_of(swept(paths_in(before))));
  }
  std::vector<std::string> all{place};
  for (const project_setting& s : settings_) // in one write; an entry for a path that is not made has no effect
    if (noted_.insert(s.place).second) all.push_back(s.place);
  const std::string text = journal_of(all);
  if (::lseek(journal_.get(), 0, SEEK_END) >= 0) (void)!::write(journal_.get(), text.data(), text.size());
}

found_inode mount_points::stand(const mounts::planned_mount& m, const found_inode& found) {
  if (m.how == mounts::mount_method::way) return found;
  const std::string place(m.place);
  const bool may_go = m.inside && (m.there == file_type::directory || form_of(place) != placeholder::directory);
  if (m.there != file_type::absent && (!may_go || hold(place))) return found;
  return make(place);
}

mount_points::shared_directory mount_points::directory_around(const std::string& place) {
  const std::string_view around = path::parent(place);
  if (around_.first != around || !around_.second) {
    descriptor opened = open_place(AT_FDCWD, std::string(around).c_str());
    if (!opened) return nullptr;
    around_ = {std::string(around), std::make_shared<const descriptor>(std::move(opened))};
  }
  return around_.second;
}

found_inode mount_points::make(const std::string& place) {
  point p{directory_around(place), {}, place};
  note(place);
  for (int left = 10; left > 0 && p.around; --left) {
    p.own = made_at(*p.around, name_of(place), form_of(place));
    if (!p.own && errno != ENOENT) break;
    if (!p.own) continue;
    const bool locked = lock(p.own);
    const std::optional<struct stat> st = status_of(p.own);
    if (!st || (locked && st->st_nlink == 0)) continue;
    points_.push_back(std::move(p));
    return found_as(*st);
  }
  throw refused::because<reasons::path_not_hidden>(place, std::strerror(errno));
}

bool mount_points::hold(const std::string& place) {
  point p{directory_around(place), {}, place};
  p.own = p.around ? open_own(*p.around, name_of(place)) : descriptor();
  if (!p.own) return errno != ENOENT; // its owner cannot read it: not a mount point of cordon
  const std::optional<struct stat> st = status_of(p.own);
  if (!st) return true;
  // A directory with entries is not one either, except for another run's mount point inside a mount point of cordon.
  const bool may_be = is_ours(*st) || st->st_nlink == 0 || (S_ISDIR(st->st_mode) && is_empty(p.own));
  if (!may_be) return true;
  const std::optional<struct stat> now = lock(p.own) ? status_of(p.own) : std::nullopt;
  if (now && now->st_nlink == 0) return false;
  points_.push_back(std::move(p));
  return true;
}

mount_points::~mount_points() {
  if (points_.empty()) return;
  for (; !points_.empty(); points_.pop_back()) {
    const point& p = points_.back();
    if (!remove_own(*p.around, name_of(p.place), p.own)) noted_.erase(p.place);
  }
  if (noted_.empty()) return;
  const descriptor file = journal(shim::missing_directory::stays);
  if (!file) return;
  std::vector<std::string> left = paths_in(content_of(file));
  std::erase_if(left, [&](const std::string& place) { return noted_.contains(place); });
  replace_content(file, journal_of(left));
}

void mount_points::sweep() {
  const descriptor file = journal(shim::missing_directory::stays);
  if (!file) return;
  const std::string before = content_of(file), after = journal_of(swept(paths_in(before)));
  if (after != before) replace_content(file, after);
}

} // namespace cordon::linux_shim
