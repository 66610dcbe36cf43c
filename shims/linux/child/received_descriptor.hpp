// SPDX-License-Identifier: BSL-1.0
/// A descriptor that the child has sent with one byte.
#pragma once

#include "descriptor.hpp"

#include <sys/socket.h>
#include <sys/uio.h>

#include <cstring>

namespace cordon::linux_shim {

/// Does not wait. Returns: none if there is none.
[[nodiscard]] inline descriptor receive_descriptor(int from) {
  char byte = 0;
  iovec text{&byte, 1};
  alignas(cmsghdr) char more[CMSG_SPACE(sizeof(int))];
  msghdr message{};
  message.msg_iov = &text;
  message.msg_iovlen = 1;
  message.msg_control = more;
  message.msg_controllen = sizeof more;
  if (::recvmsg(from, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) != 1) return {};
  const cmsghdr* const c = CMSG_FIRSTHDR(&message);
  if (c == nullptr || c->cmsg_type != SCM_RIGHTS) return {};
  int fd = -1;
  std::memcpy(&fd, CMSG_DATA(c), sizeof fd);
  return descriptor(fd);
}

} // namespace cordon::linux_shim
