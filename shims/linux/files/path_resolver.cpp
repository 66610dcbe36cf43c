// SPDX-License-Identifier: BSL-1.0
#include "path_resolver.hpp"

#include "../../posix/new_link.hpp"
#include "../child/raw_syscall.hpp"

#include <cordon/policy/path.hpp>

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

#include <algorithm>
#include <cerrno>

namespace cordon::linux_shim {
namespace {

using reason = stopped::reason;

constexpr int most_links = 40;        // MAXSYMLINKS of the kernel, include/linux/namei.h
constexpr long procfs_magic = 0x9fa0; // include/uapi/linux/magic.h

[[nodiscard]] long by_kernel(int at, const char* name, int flags, std::uint64_t resolve) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(O_PATH | O_CLOEXEC | flags);
  how.resolve = resolve;
  return raw_syscall(SYS_openat2, at, name, &how, sizeof how);
}

/// A path without empty components and `.`. Keeps `..`, whose meaning depends on symbolic links.
struct tidy {
  std::string text;
  bool directory = false; ///< the path ends as only a directory's may
};

[[nodiscard]] tidy tidied(std::string_view written) {
  tidy to;
  to.directory = written.ends_with('/') || written.ends_with("/.");
  for (std::size_t i = 0; i < written.size();) {
    const std::size_t end = std::min(written.find('/', i), written.size());
    const std::string_view part = written.substr(i, end - i);
    if (!part.empty() && part != ".") to.text.append("/").append(part);
    i = end + 1;
  }
  if (to.text.empty()) to.text = "/";
  return to;
}

/// Returns: the part of `place` beneath `top`, which covers it.
[[nodiscard]] std::string_view rest_of(std::string_view top, std::string_view place) {
  if (top.size() == place.size()) return {};
  return place.substr(top.size() == 1 ? 1 : top.size() + 1);
}

/// Returns: 0, or the errno of a path that no lookup can accept.
[[nodiscard]] int flaw_of(std::string_view place) {
  if (place.size() > path::longest) return ENAMETOOLONG;
  return place.empty() || place.front() != '/' || place.find('\0') != place.npos ? EINVAL : 0;
}

[[nodiscard]] stopped by_system(int error, std::string place) { return {reason::system, error, std::move(place)}; }

[[nodiscard]] stopped arrived(const pinned& from, descriptor inode, std::string place, reached& to) {
  to.from = &from;
  to.inode = std::move(inode);
  if (!to.inode || ::fstat(to.inode.get(), &to.facts) != 0) return by_system(errno, std::move(place));
  if (!path_resolver::locate(to)) return {reason::outside, 0, std::move(place)};
  return {};
}

[[nodiscard]] descriptor another(const descriptor& fd) { return descriptor(::fcntl(fd.get(), F_DUPFD_CLOEXEC, 3)); }

} // namespace

descriptor open_place(int at, const char* name) {
  // With O_NOFOLLOW, openat2(2) would open a symbolic link in the last component itself.
  const long fd = by_kernel(at, name, 0, RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS);
  if (fd >= 0) return descriptor(static_cast<int>(fd));
  if (fd != -ENOSYS && fd != -EPERM) {
    errno = static_cast<int>(-fd);
    return {};
  }
  // Before Linux 5.6, or under a filter that cannot check openat2's argument: open, then read the descriptor's real
  // path.
  descriptor opened(::openat(at, name, O_PATH | O_CLOEXEC | O_NOFOLLOW));
  struct stat st {};
  if (opened && (::fstat(opened.get(), &st) != 0 || S_ISLNK(st.st_mode))) {
    errno = ELOOP;
    return {};
  }
  if (!opened || at != AT_FDCWD) return opened;
  if (read_link(AT_FDCWD, descriptor_path(opened.get()).c_str()) != name) {
    errno = ELOOP;
    return {};
  }
  return opened;
}

descriptor open_resolved(const std::string& place) {
  descriptor opened = open_place(AT_FDCWD, place.c_str());
  if (!opened && errno == ELOOP) shim::refuse_new_link(place);
  return opened;
}

std::optional<std::string> read_link(int at, const char* name) {
  std::string text(path::longest + 2, '\0');
  const ssize_t n = ::readlinkat(at, name, text.data(), text.size());
  if (n < 0) return {};
  text.resize(static_cast<std::size_t>(n));
  if (text.size() > path::longest) {
    errno = ENAMETOOLONG;
    return std::nullopt;
  }
  return text;
}

// Not /proc/self: a thread may have a separate descriptor table (CLONE_FILES). Linux 3.17.
std::string descriptor_path(int fd) { return "/proc/thread-self/fd/" + std::to_string(fd); }

std::string joined(const std::string& directory, std::string_view name) {
  return std::string(directory == "/" ? "" : directory).append("/").append(name);
}

bool path_resolver::locate(reached& r) {
  // If the pinned directory moves between the two reads, the paths do not match. Try again.
  for (int tries = 0; tries < 8; ++tries) {
    const auto top = read_link(AT_FDCWD, descriptor_path(r.from->inode.get()).c_str());
    const auto here = read_link(AT_FDCWD, descriptor_path(r.inode.get()).c_str());
    if (!top || !here || !top->starts_with('/') || !here->starts_with('/') || !path::covers(*top, *here)) continue;
    const std::string_view rest = rest_of(*top, *here);
    r.place = rest.empty() ? r.from->place : joined(r.from->place, rest);
    return true;
  }
  return false;
}

const pinned* path_resolver::pinned_above(std::string_view place) const {
  const auto after = std::upper_bound(pinned_.begin(), pinned_.end(), place,
                                      [](std::string_view p, const pinned& q) { return path::order(p, q.place) < 0; });
  if (after == pinned_.begin() || !path::covers(std::prev(after)->place, place)) return nullptr;
  return &*std::prev(after);
}

/// Does the kernel's lookup in user space. It opens each component itself in the open directory. `..` returns to the
/// directory opened before. A symbolic link's target is put before the remaining components.
class path_resolver::walk {
public:
  explicit walk(const path_resolver& in) : in_(in) {}

  [[nodiscard]] stopped go(const tidy& place, bool follow_last, reached& to) {
    if (place.directory) todo_.emplace_back(".");
    if (!start(place.text)) return {reason::outside, 0, place.text};
    while (!todo_.empty()) {
      const std::string name = std::move(todo_.back());
      todo_.pop_back();
      if (stopped s = enter(name, follow_last || !todo_.empty())) return s;
    }
    return arrived(*from_, way_.empty() ? another(from_->inode) : std::move(way_.back().inode), here_, to);
  }

private:
  struct held {
    descriptor inode;
    mode_t mode = 0;
  };

  [[nodiscard]] bool start(std::string_view place) {
    from_ = in_.pinned_above(place);
    if (from_ == nullptr) return false;
    way_.clear();
    here_ = from_->place;
    put(rest_of(from_->place, place));
    return true;
  }

  void put(std::string_view rest) {
    for (std::size_t end = rest.size(); end != 0;) {
      const std::size_t slash = rest.rfind('/', end - 1);
      const std::size_t begin = slash == rest.npos ? 0 : slash + 1;
      if (begin != end) todo_.emplace_back(rest.substr(begin, end - begin));
      end = slash == rest.npos ? 0 : slash;
    }
  }

  [[nodiscard]] stopped enter(const std::string& name, bool follow) {
    const bool in_directory = way_.empty() || S_ISDIR(way_.back().mode);
    if (name == "." || name == "..") {
      if (!in_directory) return by_system(ENOTDIR, here_);
      if (name == ".") return {};
      if (way_.empty()) return {reason::outside, 0, joined(here_, "..")};
      way_.pop_back();
      here_ = std::string(path::parent(here_));
      return {};
    }
    const int at = way_.empty() ? from_->inode.get() : way_.back().inode.get();
    std::string there = joined(here_, name);
    held next{descriptor(::openat(at, name.c_str(), O_PATH | O_CLOEXEC | O_NOFOLLOW))};
    struct stat st {};
    if (!next.inode || ::fstat(next.inode.get(), &st) != 0) return by_system(errno, std::move(there));
    if (S_ISLNK(st.st_mode) && follow) return follow_link(next.inode.get(), there);
    next.mode = st.st_mode;
    way_.push_back(std::move(next));
    here_ = std::move(there);
    return {};
  }

  [[nodiscard]] stopped follow_link(int link, const std::string& there) {
    if (++links_ > most_links) return by_system(ELOOP, there);
    const auto text = read_link(link, "");
    if (!text) return by_system(errno, there);
    if (text->empty()) return by_system(ENOENT, there);
    if (text->front() != '/') {
      if (text->ends_with('/')) todo_.emplace_back(".");
      put(*text);
      return {};
    }
    struct statfs fs {};
    if (::fstatfs(link, &fs) == 0 && fs.f_type == procfs_magic) return {reason::magic, 0, there};
    const tidy target = tidied(*text);
    if (target.directory) todo_.emplace_back(".");
    return start(target.text) ? stopped{} : stopped{reason::outside, 0, target.text};
  }

  const path_resolver& in_;
  const pinned* from_ = nullptr;
  std::vector<held> way_; ///< the directories between the pinned directory and `here_`
  std::string here_;
  std::vector<std::string> todo_; ///< the remaining components, the next one last
  int links_ = 0;
};

stopped path_resolver::find(std::string_view place, bool follow_last, reached& to) const {
  if (const int flaw = flaw_of(place)) return by_system(flaw, std::string(place));
  const tidy wanted = tidied(place);
  const pinned* from = ask_kernel_ ? pinned_above(wanted.text) : nullptr;
  const std::string rest(from == nullptr ? std::string_view() : rest_of(from->place, wanted.text));
  if (!rest.empty()) {
    // RESOLVE_BENEATH refuses magic links today; openat2(2) warns that this may change.
    const int flags = (follow_last ? 0 : O_NOFOLLOW) | (wanted.directory ? O_DIRECTORY : 0);
    const long fd = by_kernel(from->inode.get(), rest.c_str(), flags, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS);
    if (fd >= 0) return arrived(*from, descriptor(static_cast<int>(fd)), wanted.text, to);
  }
  // After an error of the kernel, this lookup finds the component, and follows an absolute link that stays inside.
  return walk(*this).go(wanted, follow_last, to);
}

stopped path_resolver::find_holder(std::string_view place, reached& holder, std::string& name) const {
  if (const int flaw = flaw_of(place)) return by_system(flaw, std::string(place));
  const tidy wanted = tidied(place);
  name = wanted.text.substr(wanted.text.rfind('/') + 1);
  if (name.empty() || name == ".." || place.ends_with("/.")) return by_system(EINVAL, wanted.text);
  const pinned* above = pinned_above(wanted.text);
  if (above != nullptr && above->place == wanted.text) return {reason::top, 0, wanted.text};
  return find(std::string(path::parent(wanted.text)) + "/", true, holder);
}

} // namespace cordon::linux_shim
