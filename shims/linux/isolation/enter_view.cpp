// SPDX-License-Identifier: BSL-1.0
#include "view_step.hpp"

// Not <sys/mount.h>: the kernel's header does not compile together with that of the C library (2.36).
#include <linux/mount.h>
#include <linux/openat2.h>
#include <sys/stat.h>

namespace cordon::linux_shim {
namespace {

constexpr int detach = 2; // MNT_DETACH, include/linux/fs.h
constexpr unsigned recursive = AT_EMPTY_PATH | AT_RECURSIVE;

/// A descriptor or -errno, for code that makes only raw system calls.
class handle {
public:
  explicit handle(long answer) noexcept : answer_(static_cast<int>(answer)) {}
  handle(const handle&) = delete;
  handle& operator=(const handle&) = delete;
  handle(handle&& other) noexcept : answer_(other.take()) {}
  handle& operator=(handle&& other) noexcept {
    const int mine = answer_;
    answer_ = other.answer_;
    other.answer_ = mine;
    return *this;
  }
  ~handle() {
    if (answer_ >= 0) raw_syscall(SYS_close, answer_);
  }

  [[nodiscard]] int get() const noexcept { return answer_; }
  [[nodiscard]] int error() const noexcept { return answer_ < 0 ? -answer_ : 0; }

private:
  int take() noexcept {
    const int mine = answer_;
    answer_ = -EBADF;
    return mine;
  }
  int answer_;
};

[[nodiscard]] handle open_at(int at, const char* name, std::uint64_t resolve) noexcept {
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC | O_NOFOLLOW;
  how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | resolve;
  return handle(raw_syscall(SYS_openat2, at, name, &how, sizeof how));
}

/// Is it the inode that the parent examined? Always true if the parent did not examine it.
[[nodiscard]] int compare(const handle& there, const inode_id& wanted) noexcept {
  if (there.error() != 0) return there.error();
  if (wanted.type == 0) return 0;
  inode_id now;
  if (const int error = read_inode_id(there.get(), now)) return error;
  return now == wanted ? 0 : ESTALE;
}

[[nodiscard]] int restrict_mounts(const handle& tree, std::uint64_t attributes, unsigned which) noexcept {
  if (tree.error() != 0 || attributes == 0) return tree.error();
  mount_attr change{};
  change.attr_set = attributes;
  return error_of(SYS_mount_setattr, tree.get(), "", which, &change, sizeof change);
}

class entering {
public:
  [[nodiscard]] int take(const view_step& s) noexcept {
    switch (s.what) {
    case view_act::isolate: return error_of(SYS_mount, nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
    case view_act::directory:
    case view_act::file:
    case view_act::link: return make(s);
    case view_act::bind: return bind(s);
    case view_act::again: return again(s);
    case view_act::fresh: return fresh(s);
    case view_act::seal: return restrict_mounts(find(s.place), MOUNT_ATTR_RDONLY, AT_EMPTY_PATH);
    case view_act::enter: return enter();
    }
    return EINVAL;
  }

private:
  /// Opens a path beneath the view's root without following links: another process with write access to a granted
  /// directory may put one there.
  [[nodiscard]] handle find(const char* place) const noexcept {
    return open_at(root_.get(), *place == '\0' ? "." : place, RESOLVE_BENEATH);
  }

  [[nodiscard]] int make(const view_step& s) const noexcept {
    const handle in = find(s.place);
    if (in.error() != 0) return in.error();
    int error = 0;
    if (s.what == view_act::directory) error = error_of(SYS_mkdirat, in.get(), s.name, s.mode);
    else if (s.what == view_act::file) error = error_of(SYS_mknodat, in.get(), s.name, S_IFREG, 0);
    else error = error_of(SYS_symlinkat, s.from, in.get(), s.name);
    return error == EEXIST && s.optional ? 0 : error;
  }

  [[nodiscard]] int bind(const view_step& s) noexcept {
    const handle source = open_at(AT_FDCWD, s.from, 0);
    if (const int error = compare(source, s.source)) return error;
    handle tree = clone(source);
    if (const int error = restrict_mounts(tree, s.attributes, recursive)) return error;
    return attach(static_cast<handle&&>(tree), s);
  }

  [[nodiscard]] int again(const view_step& s) const noexcept {
    const handle here = find(s.place);
    if (here.error() == ENOENT && s.optional) return 0;
    if (const int error = compare(here, s.target)) return error;
    const handle tree = clone(here);
    if (const int error = restrict_mounts(tree, s.attributes, recursive)) return error;
    return put_on(here, tree);
  }

  /// Includes all mounts beneath: in a user namespace, the kernel refuses to uncover what a mount hides (EINVAL).
  [[nodiscard]] static handle clone(const handle& place) noexcept {
    return handle(raw_syscall(SYS_open_tree, place.get(), "", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | recursive));
  }

  [[nodiscard]] int fresh(const view_step& s) noexcept {
    const handle system(raw_syscall(SYS_fsopen, s.from, FSOPEN_CLOEXEC));
    if (system.error() == ENODEV && s.optional) return 0;
    if (system.error() != 0) return system.error();
    for (const char* option = s.options; *option != '\0';) {
      const char* value = after(option);
      if (const int error = error_of(SYS_fsconfig, system.get(), FSCONFIG_SET_STRING, option, value, 0)) return error;
      option = after(value);
    }
    if (const int error = error_of(SYS_fsconfig, system.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0)) return error;
    return attach(handle(raw_syscall(SYS_fsmount, system.get(), FSMOUNT_CLOEXEC, s.attributes)), s);
  }

  /// Attaches detached mounts, which have their attributes already, at their mount point. The first becomes the view's
  /// root. It covers the host's root, in which the kernel still resolves absolute paths until `enter`.
  [[nodiscard]] int attach(handle tree, const view_step& s) noexcept {
    if (tree.error() != 0) return tree.error();
    if (*s.place == '\0') {
      if (const int error = error_of(SYS_move_mount, tree.get(), "", AT_FDCWD, "/", MOVE_MOUNT_F_EMPTY_PATH))
        return error;
      root_ = static_cast<handle&&>(tree);
      return 0;
    }
    const handle target = find(s.place);
    if (target.error() == ENOENT && s.optional) return 0;
    if (const int error = compare(target, s.target)) return error;
    return put_on(target, tree);
  }

  [[nodiscard]] static int put_on(const handle& place, const handle& tree) noexcept {
    return error_of(SYS_move_mount, tree.get(), "", place.get(), "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH);
  }

  /// pivot_root(2), NOTES: pivot_root stacks the old root on the new one, and umount2 detaches it.
  [[nodiscard]] int enter() noexcept {
    if (const int error = error_of(SYS_fchdir, root_.get())) return error;
    if (const int error = error_of(SYS_pivot_root, ".", ".")) return error;
    if (const int error = error_of(SYS_umount2, ".", detach)) return error;
    return error_of(SYS_chdir, "/");
  }

  [[nodiscard]] static const char* after(const char* text) noexcept {
    while (*text++ != '\0') {}
    return text;
  }

  handle root_{-EBADF};
};

} // namespace

int enter_view(std::span<const view_step> steps, std::uint32_t& at) noexcept {
  entering it;
  const long mask = raw_syscall(SYS_umask, 0);
  int error = 0;
  for (at = 0; error == 0 && at < steps.size(); ++at) error = it.take(steps[at]);
  if (error != 0) --at;
  raw_syscall(SYS_umask, mask);
  return error;
}

} // namespace cordon::linux_shim
