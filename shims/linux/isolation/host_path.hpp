// SPDX-License-Identifier: BSL-1.0
/// The host path of a descriptor, to open the same inode in a view.
#pragma once

#include "../child/descriptor_link.hpp"
#include "../child/inode_id.hpp"

#include <climits>

namespace cordon::linux_shim {

struct host_path {
  char at[PATH_MAX]{};
  inode_id is{}; ///< type 0: no descriptor
};

/// Returns: 0 or errno. Without a descriptor (-1), `to` is unchanged.
inline int find_host_path(int fd, host_path& to) noexcept {
  if (fd < 0) return 0;
  const descriptor_link link(fd);
  const long size = raw_syscall(SYS_readlinkat, AT_FDCWD, link.text, to.at, sizeof to.at - 1);
  to.at[size < 0 ? 0 : size] = '\0';
  return size < 0 ? static_cast<int>(-size) : read_inode_id(fd, to.is);
}

} // namespace cordon::linux_shim
