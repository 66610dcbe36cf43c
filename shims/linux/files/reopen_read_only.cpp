// SPDX-License-Identifier: BSL-1.0
#include "reopen_read_only.hpp"

#include "../child/child.hpp"
#include "../child/descriptor_link.hpp"
#include "../child/inode_id.hpp"
#include "../child/raw_syscall.hpp"
#include "../child/vfork.hpp"
#include "path_resolver.hpp"

// Not <sys/mount.h>: the kernel's header does not compile together with that of the C library (2.36).
#include <linux/mount.h>
#include <linux/openat2.h>
#include <sched.h>
#include <sys/stat.h>

#include <cerrno>
#include <climits>
#include <utility>

namespace cordon::linux_shim {
namespace {

/// The child's inputs and result. The child shares this process's memory and descriptors.
struct reopening {
  char name[PATH_MAX]{};
  inode_id file;
  int flags = 0;
  int opened = -1;
  int error = ECANCELED;
};

constexpr unsigned tree = AT_EMPTY_PATH | AT_RECURSIVE;

int make_read_only(int mount) noexcept {
  mount_attr change{};
  change.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
  return error_of(SYS_mount_setattr, mount, "", tree, &change, sizeof change);
}

int reopen(reopening& r) noexcept {
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC | O_NOFOLLOW;
  how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  const long named = raw_syscall(SYS_openat2, AT_FDCWD, r.name, &how, sizeof how);
  if (named < 0) return static_cast<int>(-named);
  inode_id there;
  int error = read_inode_id(static_cast<int>(named), there);
  if (error == 0 && there != r.file) error = ESTALE;
  const long mount =
      error != 0 ? -error : raw_syscall(SYS_open_tree, named, "", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | tree);
  raw_syscall(SYS_close, named);
  if (mount < 0) return static_cast<int>(-mount);
  error = make_read_only(static_cast<int>(mount));
  if (error == 0) {
    const descriptor_link link(static_cast<int>(mount));
    const long opened = raw_syscall(SYS_openat, AT_FDCWD, link.text, r.flags);
    if (opened < 0) error = static_cast<int>(-opened);
    else r.opened = static_cast<int>(opened);
  }
  raw_syscall(SYS_close, mount);
  return error;
}

void run_reopen(void* data) noexcept {
  auto& r = *static_cast<reopening*>(data);
  r.error = reopen(r);
  leave();
}

[[nodiscard]] int find_name(reopening& r, int fd) {
  const ssize_t size = ::readlink(descriptor_path(fd).c_str(), r.name, sizeof r.name - 1);
  if (size < 0) return errno;
  return r.name[0] == '/' ? read_inode_id(fd, r.file) : ESTALE;
}

} // namespace

descriptor reopen_read_only(int fd) {
  reopening r;
  struct stat st {};
  const int flags = ::fcntl(fd, F_GETFL);
  const off_t offset = ::lseek(fd, 0, SEEK_CUR);
  if (flags < 0 || ::fstat(fd, &st) != 0) return {};
  const bool fifo = S_ISFIFO(st.st_mode);
  if (offset < 0 && !fifo) return {};
  if (const int error = find_name(r, fd)) {
    errno = error;
    return {};
  }
  // Opening a FIFO would wait for a writer: fifo(7).
  r.flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | (flags & (O_NONBLOCK | O_DIRECT)) | (fifo ? O_NONBLOCK : 0);
  // Tries root's existing user namespace first: in a new one, root may not read files of other users.
  for (const std::uint64_t kinds : {std::uint64_t{CLONE_NEWNS}, std::uint64_t{CLONE_NEWNS | CLONE_NEWUSER}}) {
    int no_group = -1;
    vforked child = vfork_run(CLONE_FILES | kinds, no_group, run_reopen, &r);
    if (child.error != 0) {
      r.error = child.error;
      continue;
    }
    bring_down(child);
    if (r.error == 0) break;
  }
  descriptor made(r.opened);
  errno = r.error;
  if (!made) return {};
  const bool same =
      fifo ? ::fcntl(made.get(), F_SETFL, flags & O_NONBLOCK) == 0 : ::lseek(made.get(), offset, SEEK_SET) == offset;
  return same ? std::move(made) : descriptor();
}

} // namespace cordon::linux_shim
