// SPDX-License-Identifier: BSL-1.0
#include "socket_table.hpp"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

namespace cordon::linux_shim {
namespace {

struct request {
  nlmsghdr header;
  unix_diag_req asked;
};

/// What the message says of that file.
[[nodiscard]] served by(const nlmsghdr& message, std::uint32_t inode, std::uint32_t device) {
  const auto* const row = static_cast<const unix_diag_msg*>(NLMSG_DATA(&message));
  const auto* at = reinterpret_cast<const rtattr*>(row + 1);
  unix_diag_vfs file{};
  unix_diag_rqlen queue{};
  for (auto left = static_cast<int>(message.nlmsg_len - NLMSG_LENGTH(sizeof *row)); RTA_OK(at, left);
       at = RTA_NEXT(at, left)) {
    const auto copy = [&](auto& to) {
      if (RTA_PAYLOAD(at) >= sizeof to) std::memcpy(&to, RTA_DATA(at), sizeof to);
    };
    if (at->rta_type == UNIX_DIAG_VFS) copy(file);
    if (at->rta_type == UNIX_DIAG_RQLEN) copy(queue);
  }
  if (file.udiag_vfs_ino != inode || file.udiag_vfs_dev != device) return served::nowhere;
  // Of a listener: connections that wait, and how many may (sock_diag(7)).
  constexpr std::uint8_t listens = 10; // TCP_LISTEN
  return row->udiag_state == listens && queue.udiag_rqueue < queue.udiag_wqueue ? served::with_room : served::full;
}

} // namespace

socket_table socket_table::of_this_process() {
  return socket_table(descriptor(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG)));
}

socket_table::socket_table(descriptor diag) : diag_(std::move(diag)) {
#ifdef SO_NETNS_COOKIE
  socklen_t size = sizeof cookie_;
  if (diag_) (void)::getsockopt(diag_.get(), SOL_SOCKET, SO_NETNS_COOKIE, &cookie_, &size);
#endif
}

template <class F> bool socket_table::each(std::uint32_t states, F&& f) const {
  request question{};
  question.header = {sizeof question, SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST | NLM_F_DUMP, 0, 0};
  question.asked.sdiag_family = AF_UNIX;
  question.asked.udiag_states = states;
  question.asked.udiag_show = UDIAG_SHOW_VFS | UDIAG_SHOW_RQLEN;
  if (!diag_ || ::send(diag_.get(), &question, sizeof question, MSG_NOSIGNAL) != static_cast<ssize_t>(sizeof question))
    return false;
  // Reads the answer to its end: the next question must find none of it.
  for (alignas(nlmsghdr) std::array<char, 32768> block;;) {
    const ssize_t size = ::recv(diag_.get(), block.data(), block.size(), 0);
    if (size <= 0) return false;
    auto left = static_cast<std::size_t>(size);
    for (const auto* m = reinterpret_cast<const nlmsghdr*>(block.data()); NLMSG_OK(m, left); m = NLMSG_NEXT(m, left)) {
      if (m->nlmsg_type == NLMSG_DONE) return true;
      if (m->nlmsg_type == NLMSG_ERROR) return false;
      f(*m);
    }
  }
}

bool socket_table::is_supported() const {
  return cookie_ != 0 && each(0, [](const nlmsghdr&) {});
}

served socket_table::find(const struct stat& file) const {
  if (file.st_ino > std::numeric_limits<std::uint32_t>::max()) return served::nowhere;
  constexpr unsigned minor_bits = 20; // the kernel's own dev_t, include/linux/kdev_t.h
  const std::uint32_t device = major(file.st_dev) << minor_bits | minor(file.st_dev);
  const auto inode = static_cast<std::uint32_t>(file.st_ino);
  served found = served::nowhere;
  const bool complete = each(~0U, [&](const nlmsghdr& m) {
    if (const served one = by(m, inode, device); one != served::nowhere) found = one;
  });
  return complete ? found : served::nowhere;
}

bool socket_table::is_home_of(int socket) const {
#ifdef SO_NETNS_COOKIE
  std::uint64_t its = 0;
  socklen_t size = sizeof its;
  return cookie_ != 0 && ::getsockopt(socket, SOL_SOCKET, SO_NETNS_COOKIE, &its, &size) == 0 && its == cookie_;
#else
  return static_cast<void>(socket), false;
#endif
}

} // namespace cordon::linux_shim
