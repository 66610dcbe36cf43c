// SPDX-License-Identifier: BSL-1.0
/// The identity of an inode, to detect that another inode has taken its name since. The file system may reuse the
/// number only after the first inode is gone; the new inode is then created later and holds no secret.
#pragma once

#include "raw_syscall.hpp"

#include <cstdint>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace cordon::linux_shim {

struct inode_id {
  std::uint64_t number = 0;
  std::uint32_t major = 0, minor = 0; ///< of the file system
  std::uint32_t type = 0;             ///< S_IFMT of the mode; 0: not read yet

  friend bool operator==(const inode_id&, const inode_id&) = default;
};

/// Reads the identity of the inode of a descriptor. Returns: 0 or errno.
inline int read_inode_id(int fd, inode_id& to) noexcept {
  struct statx s;
  if (const int error = error_of(SYS_statx, fd, "", AT_EMPTY_PATH, STATX_INO | STATX_TYPE, &s)) return error;
  to = {s.stx_ino, s.stx_dev_major, s.stx_dev_minor, static_cast<std::uint32_t>(s.stx_mode & S_IFMT)};
  return 0;
}

} // namespace cordon::linux_shim
