// SPDX-License-Identifier: BSL-1.0
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "attempt.hpp"

namespace attempt {
namespace {

/// `NAME` is a path, `@NAME` an abstract name.
socklen_t unix_address(const char* name, sockaddr_un& address) {
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, name, sizeof address.sun_path - 1);
  if (name[0] != '@') return sizeof address;
  address.sun_path[0] = '\0';
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + std::strlen(name));
}

sockaddr_in loopback(long port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

outcome connect_inet(int type, int protocol, long port) {
  const int channel = socket(AF_INET, type, protocol);
  if (channel < 0) return answer(channel);
  const sockaddr_in address = loopback(port);
  if (connect(channel, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return answer(-1);
  return answer(send(channel, "attacked", 8, MSG_NOSIGNAL));
}

outcome connect_inet6(arguments words) {
  const int channel = socket(AF_INET6, SOCK_STREAM, 0);
  if (channel < 0) return answer(channel);
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_port = htons(static_cast<std::uint16_t>(words.number(0)));
  address.sin6_addr = in6addr_loopback;
  return answer(connect(channel, reinterpret_cast<const sockaddr*>(&address), sizeof address));
}

/// No connect(2) and no connect hook of a security module: the SYN itself carries the payload.
outcome fast_open(arguments words) {
  const int channel = socket(AF_INET, SOCK_STREAM, 0);
  if (channel < 0) return answer(channel);
  const sockaddr_in address = loopback(words.number(0));
  return answer(sendto(channel, "attacked", 8, MSG_FASTOPEN | MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address),
                       sizeof address));
}

/// Where no socket can be made, the flag alone must be refused, also on a pair that could not connect anywhere.
outcome fast_open_pair(arguments) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return broken("socketpair");
  return answer(sendto(pair[0], "x", 1, MSG_FASTOPEN | MSG_NOSIGNAL, nullptr, 0));
}

outcome connect_unix(arguments words) {
  const int channel = socket(AF_UNIX, SOCK_STREAM, 0);
  if (channel < 0) return answer(channel);
  sockaddr_un address{};
  const socklen_t size = unix_address(words.text(0), address);
  return answer(connect(channel, reinterpret_cast<const sockaddr*>(&address), size));
}

outcome send_unix(arguments words) {
  const int channel = socket(AF_UNIX, SOCK_DGRAM, 0);
  if (channel < 0) return answer(channel);
  sockaddr_un address{};
  const socklen_t size = unix_address(words.text(0), address);
  return answer(sendto(channel, "attacked", 8, 0, reinterpret_cast<const sockaddr*>(&address), size));
}

outcome bind_unix(arguments words) {
  const int channel = socket(AF_UNIX, SOCK_STREAM, 0);
  if (channel < 0) return answer(channel);
  sockaddr_un address{};
  const socklen_t size = unix_address(words.text(0), address);
  return answer(bind(channel, reinterpret_cast<const sockaddr*>(&address), size));
}

/// A datagram pair is connected to itself, but sendto(2) with an address overrides that.
outcome send_from_pair(arguments words) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) != 0) return answer(-1);
  sockaddr_un address{};
  const socklen_t size = unix_address(words.text(0), address);
  return answer(sendto(pair[0], "attacked", 8, 0, reinterpret_cast<const sockaddr*>(&address), size));
}

/// listen(2) without bind(2) takes a port by itself and passes no bind hook.
outcome listen_unbound(arguments) {
  const int channel = socket(AF_INET, SOCK_STREAM, 0);
  return channel < 0 ? answer(channel) : answer(listen(channel, 1));
}

outcome bind_inet(arguments words) {
  const int channel = socket(AF_INET, SOCK_STREAM, 0);
  if (channel < 0) return answer(channel);
  const sockaddr_in address = loopback(words.number(0));
  return answer(bind(channel, reinterpret_cast<const sockaddr*>(&address), sizeof address));
}

outcome open_socket(arguments words) {
  return answer(socket(static_cast<int>(words.number(0)), static_cast<int>(words.number(1)),
                       words.count() > 2 ? static_cast<int>(words.number(2)) : 0));
}

outcome open_pair(arguments words) {
  int pair[2];
  return answer(socketpair(static_cast<int>(words.number(0)), static_cast<int>(words.number(1)), 0, pair));
}

constexpr act table[] = {
    {"socket", open_socket},
    {"socketpair", open_pair},
    {"connect_tcp", [](arguments words) { return connect_inet(SOCK_STREAM, 0, words.number(0)); }},
    {"connect_tcp6", connect_inet6},
    {"connect_mptcp", [](arguments words) { return connect_inet(SOCK_STREAM, IPPROTO_MPTCP, words.number(0)); }},
    {"send_udp", [](arguments words) { return connect_inet(SOCK_DGRAM, 0, words.number(0)); }},
    {"fast_open", fast_open},
    {"fast_open_pair", fast_open_pair},
    {"connect_unix", connect_unix},
    {"send_unix", send_unix},
    {"bind_unix", bind_unix},
    {"send_from_pair", send_from_pair},
    {"bind_tcp", bind_inet},
    {"listen_unbound", listen_unbound},
};

} // namespace

std::span<const act> socket_acts() { return table; }

} // namespace attempt
