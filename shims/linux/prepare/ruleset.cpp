// SPDX-License-Identifier: BSL-1.0
#include "ruleset.hpp"

#include "../child/inode_id.hpp"
#include "../child/landlock_calls.hpp"
#include "../files/path_resolver.hpp"

#include <cordon/policy/preset.hpp>
#include <cordon/run/reasons.hpp>
#include <cordon/run/resolve.hpp>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <tuple>
#include <vector>

namespace cordon::linux_shim {
namespace {

[[noreturn]] void refuse(const std::string& place, const std::string& what, int error) {
  throw refused::because<reasons::rule_refused>(place, what, std::strerror(error));
}

class ruleset {
public:
  ruleset(int abi, bool executes) : lost_(executes ? 0U : std::uint32_t{landlock::EXECUTE}) {
    const landlock_calls::ruleset attr{landlock::handled(abi), 0, landlock::scoped(abi)};
    fd_ =
        descriptor(static_cast<int>(::syscall(landlock_calls::create_ruleset, &attr, landlock::ruleset_size(abi), 0)));
    if (!fd_) refuse("landlock", "cannot create a ruleset", errno);
  }

  /// Adds a rule for an open inode.
  void add(int inode, std::uint32_t access, std::string_view place) { add_all(inode, access & ~lost_, place); }
  /// Adds a file that may be executed even if no other may.
  void add_program(int inode, std::string_view place) { add_all(inode, landlock::EXECUTE, place); }

  [[nodiscard]] descriptor take() { return std::move(fd_); }

private:
  void add_all(int inode, std::uint32_t access, std::string_view place) {
    if (access == 0 || try_to_add(inode, access)) return;
    // Rights of directories are invalid for other files (landlock_append_fs_rule, security/landlock/fs.c).
    const std::uint32_t less = errno == EINVAL ? landlock::for_inode(access, false) : access;
    if (less == 0 || (less != access && try_to_add(inode, less))) return;
    refuse(std::string(place), "cannot carry a rule", errno);
  }

  [[nodiscard]] bool try_to_add(int inode, std::uint32_t access) const {
    const landlock_calls::path_beneath rule{access, inode};
    return ::syscall(landlock_calls::add_rule, fd_.get(), landlock_calls::rule_path_beneath, &rule, 0) == 0;
  }

  descriptor fd_;
  std::uint32_t lost_; ///< removed from every rule
};

[[nodiscard]] bool before(const inode_id& a, const inode_id& b) {
  return std::tie(a.number, a.major, a.minor) < std::tie(b.number, b.major, b.minor);
}

/// Returns: the inodes of the excepted paths, sorted. A rule applies to an inode: a rule for its second name would also
/// give the rights to the first.
[[nodiscard]] std::vector<inode_id> inodes_of(step_function<path_tree> except) {
  std::vector<inode_id> found;
  for (std::uint32_t i = 0; i < except.size(); ++i) {
    const descriptor place = open_place(AT_FDCWD, std::string(except.place(i)).c_str());
    if (inode_id inode; place && read_inode_id(place.get(), inode) == 0) found.push_back(inode);
  }
  std::sort(found.begin(), found.end(), before);
  return found;
}

/// Grants the rights to every entry of a directory, except the excepted inodes under any name. Later entries get none.
void add_siblings(ruleset& to, const std::string& dir, std::uint32_t access, step_function<path_tree> except,
                  const std::vector<inode_id>& inodes) {
  const descriptor place = open_place(AT_FDCWD, dir.c_str());
  // A missing directory cannot appear later: its parent allows no new entries.
  if (!place && errno == ENOENT) return;
  if (!place) refuse(dir, "cannot be opened", errno);
  const int fd = ::openat(place.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0 && errno == EACCES) return; // nor may the program list it: it runs as the same user
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(fd < 0 ? nullptr : ::fdopendir(fd), ::closedir);
  if (!listing) refuse(dir, "cannot list the directory", errno);
  const std::string prefix = dir == "/" ? dir : dir + "/";
  errno = 0;
  for (const dirent* e; (e = ::readdir(listing.get())) != nullptr; errno = 0) {
    const std::string name = e->d_name;
    if (name == "." || name == "..") continue;
    const std::uint32_t i = except.find(prefix + name);
    if (i != no_slot && except.place(i) == prefix + name) continue;
    const descriptor child = open_place(fd, e->d_name);
    // An entry that is a link, has gone, or may not be looked up (as on FUSE) gets no rule: less is granted.
    inode_id inode;
    if (!child || read_inode_id(child.get(), inode) != 0) continue;
    if (std::binary_search(inodes.begin(), inodes.end(), inode, before)) continue;
    to.add(child.get(), landlock::for_inode(access, inode.type == S_IFDIR), prefix + name);
  }
  if (errno != 0) refuse(dir, "cannot list the directory", errno);
}

} // namespace

descriptor make_ruleset(const landlock::rules<heap>& rules, const std::string& temp,
                        const std::vector<std::string>* programs) {
  ruleset made(rules.abi, programs == nullptr);
  const auto really = [&](std::string_view place) { return place == run_temp ? std::string_view(temp) : place; };
  const auto grants = rules.view(rules.grants);
  std::string place;
  for (std::uint32_t i = 0; i < grants.size(); ++i) {
    place = really(grants.place(i));
    const descriptor fd = open_resolved(place);
    if (!fd) refuse(place, "cannot be opened", errno);
    made.add(fd.get(), grants[i].value, place);
  }
  const auto siblings = rules.view(rules.siblings);
  const std::vector<inode_id> excepted = inodes_of(rules.view(rules.except));
  for (std::uint32_t i = 0; i < siblings.size(); ++i)
    add_siblings(made, std::string(really(siblings.place(i))), siblings[i].value, rules.view(rules.except), excepted);
  for (const auto& a : landlock::default_places)
    if (const descriptor fd = open_place(AT_FDCWD, std::string(a.place).c_str()))
      made.add(fd.get(), landlock::access_of(a.allowed, rules.abi), a.place);
  if (programs != nullptr)
    for (const std::string& program : *programs)
      if (const descriptor fd = open_place(AT_FDCWD, program.c_str())) made.add_program(fd.get(), program);
  return made.take();
}

} // namespace cordon::linux_shim
