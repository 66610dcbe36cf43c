// SPDX-License-Identifier: BSL-1.0
#include "network_sockets.hpp"

#include "../child/child.hpp"
#include "../child/raw_syscall.hpp"
#include "../child/vfork.hpp"

#include <sched.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <utility>

namespace cordon::linux_shim {
namespace {

/// The child's inputs and results.
struct making {
  int process = -1;
  int family = 0;
  std::array<int, 16> made{}; // a child costs as much as ten sockets
  std::size_t count = 0;
  int error = ECANCELED;
};

/// Through a descriptor of a process since Linux 5.8. The user namespace gives the rights to enter the other one; in a
/// run without one of its own, they are this process's.
int enter(int process) noexcept {
  const int error = error_of(SYS_setns, process, CLONE_NEWUSER | CLONE_NEWNET);
  return error == EINVAL ? error_of(SYS_setns, process, CLONE_NEWNET) : error;
}

void run_make(void* data) noexcept {
  auto& m = *static_cast<making*>(data);
  m.error = enter(m.process);
  while (m.error == 0 && m.count < m.made.size()) {
    const long fd = raw_syscall(SYS_socket, m.family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) m.error = static_cast<int>(-fd);
    else m.made[m.count++] = static_cast<int>(fd);
  }
  leave();
}

} // namespace

descriptor network_sockets::take(int family) {
  std::vector<descriptor>& made = family == AF_INET ? inet_ : inet6_;
  if (made.empty()) {
    making m;
    m.process = process_.get();
    m.family = family;
    made.reserve(m.made.size()); // before descriptors exist that an exception would lose
    int no_group = -1;
    vforked child = vfork_run(CLONE_FILES, no_group, run_make, &m);
    if (child.error != 0) m.error = child.error;
    else bring_down(child);
    for (std::size_t i = 0; i < m.count; ++i) made.emplace_back(m.made[i]);
    errno = m.error;
  }
  if (made.empty()) return {};
  descriptor one = std::move(made.back());
  made.pop_back();
  return one;
}

} // namespace cordon::linux_shim
