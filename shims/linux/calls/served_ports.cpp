// SPDX-License-Identifier: BSL-1.0
#include "served_ports.hpp"

#include "callers_socket.hpp"

#include <cordon/query/query.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace cordon::linux_shim {
namespace {

/// Returns: a copy of the socket of the call; empty if it is not an internet socket or cannot be copied.
[[nodiscard]] descriptor socket_of(int listener, const seccomp_notif& asked) {
  descriptor copy = copied_socket(listener, asked);
  int family = 0;
  socklen_t size = sizeof family;
  if (!copy || ::getsockopt(copy.get(), SOL_SOCKET, SO_DOMAIN, &family, &size) != 0) return {};
  return family == AF_INET || family == AF_INET6 ? std::move(copy) : descriptor();
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
  if (size < sizeof(sockaddr_in) || !copy_memory(asked, asked.data.args[1], &to, size)) return EPERM;
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
