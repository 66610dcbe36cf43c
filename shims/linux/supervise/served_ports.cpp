// SPDX-License-Identifier: BSL-1.0
#include "served_ports.hpp"

#include "../child/raw_syscall.hpp"
#include "../child/read_file.hpp"

#include <cordon/query/query.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

namespace cordon::linux_shim {
namespace {

/// Returns: the process of a thread, in this process's pid namespace; 0: it has ended.
[[nodiscard]] int process_of(std::uint32_t thread) {
  const std::string status = read_file("/proc/" + std::to_string(thread) + "/status");
  const std::size_t at = status.find("\nTgid:");
  return at == status.npos ? 0 : std::atoi(status.c_str() + at + 6);
}

/// Returns: a copy of the socket of the call; empty if it is not an internet socket or cannot be copied.
[[nodiscard]] descriptor socket_of(int listener, const seccomp_notif& asked) {
  const descriptor process(static_cast<int>(raw_syscall(SYS_pidfd_open, process_of(asked.pid), 0)));
  if (!process) return {};
  descriptor copy(
      static_cast<int>(raw_syscall(SYS_pidfd_getfd, process.get(), static_cast<int>(asked.data.args[0]), 0)));
  int family = 0;
  socklen_t size = sizeof family;
  if (!copy || ::getsockopt(copy.get(), SOL_SOCKET, SO_DOMAIN, &family, &size) != 0) return {};
  // The caller still waits, so its thread id belonged to no other process during the lookup.
  const bool waits = ::ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &asked.id) == 0;
  return waits && (family == AF_INET || family == AF_INET6) ? std::move(copy) : descriptor();
}

union address {
  sockaddr any;
  sockaddr_in inet;
  sockaddr_in6 inet6;

  /// Returns: the port; 0: none.
  [[nodiscard]] std::uint16_t port() const {
    if (any.sa_family == AF_INET) return ntohs(inet.sin_port);
    return any.sa_family == AF_INET6 ? ntohs(inet6.sin6_port) : std::uint16_t{0};
  }
};

/// Returns: the port that the socket is bound to; 0: none.
[[nodiscard]] std::uint16_t port_of(const descriptor& socket) {
  address own{};
  socklen_t size = sizeof own;
  return ::getsockname(socket.get(), &own.any, &size) == 0 ? own.port() : std::uint16_t{0};
}

} // namespace

served_ports::served_ports(const loaded_policy& p)
    : policy_(p),
      any_(allows(p, process_feature::any_host) && allows(p, process_feature::listen) &&
           !p.is_any<axis_id::sockets>()) {}

std::optional<int> served_ports::respond(int listener, const seccomp_notif& asked) const {
  if (!any_) return {};
  if (asked.data.nr == SYS_bind) return bind(listener, asked);
  if (asked.data.nr == SYS_listen) return listen(listener, asked);
  return {};
}

int served_ports::bind(int listener, const seccomp_notif& asked) const {
  address to{};
  const std::size_t size = std::min<std::size_t>(static_cast<std::uint32_t>(asked.data.args[2]), sizeof to);
  iovec here{&to, size};
  iovec there{reinterpret_cast<void*>(asked.data.args[1]), size}; // NOLINT(performance-no-int-to-ptr): the program's
  if (size < sizeof(sockaddr_in) ||
      ::process_vm_readv(static_cast<pid_t>(asked.pid), &here, 1, &there, 1, 0) != static_cast<ssize_t>(size))
    return EPERM;
  if (!allows_port(policy_, to.port())) return EPERM;
  const descriptor socket = socket_of(listener, asked);
  if (!socket) return EPERM;
  return ::bind(socket.get(), &to.any, static_cast<socklen_t>(size)) == 0 ? 0 : errno;
}

int served_ports::listen(int listener, const seccomp_notif& asked) const {
  const descriptor socket = socket_of(listener, asked);
  // listen(2) on an unbound socket would take a port of the kernel's choice.
  if (!socket || !allows_port(policy_, port_of(socket))) return EPERM;
  if (::listen(socket.get(), static_cast<int>(asked.data.args[1])) != 0) return errno;
  if (allows_port(policy_, port_of(socket))) return 0;
  ::shutdown(socket.get(), SHUT_RDWR); // another thread has released the port in between
  return EPERM;
}

} // namespace cordon::linux_shim
