// SPDX-License-Identifier: BSL-1.0
/// Sockets among the processes of one run: a server in this process, a client in a child.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "attempt.hpp"

namespace attempt {
namespace {

/// An address of any family, and its size.
struct address {
  sockaddr_storage bytes{};
  socklen_t size = 0;

  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&bytes); }
  [[nodiscard]] sockaddr* get() { return reinterpret_cast<sockaddr*>(&bytes); }
};

/// `4` and `6`: the loopback address with that port. Otherwise a path, or `@NAME` for an abstract name.
address address_of(const char* where, long port) {
  address to;
  const auto number = htons(static_cast<std::uint16_t>(port));
  if (std::strcmp(where, "4") == 0) {
    sockaddr_in in{};
    in.sin_family = AF_INET, in.sin_port = number, in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    std::memcpy(&to.bytes, &in, to.size = sizeof in);
  } else if (std::strcmp(where, "6") == 0) {
    sockaddr_in6 in{};
    in.sin6_family = AF_INET6, in.sin6_port = number, in.sin6_addr = in6addr_loopback;
    std::memcpy(&to.bytes, &in, to.size = sizeof in);
  } else {
    sockaddr_un un{};
    un.sun_family = AF_UNIX;
    std::strncpy(un.sun_path, where, sizeof un.sun_path - 1);
    to.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + std::strlen(where));
    if (where[0] == '@') un.sun_path[0] = '\0';
    else ++to.size;
    std::memcpy(&to.bytes, &un, sizeof un);
  }
  return to;
}

/// Sends a word to the server and takes it back.
int ask(int type, const address& server) {
  const int channel = socket(server.bytes.ss_family, type | SOCK_CLOEXEC, 0);
  if (channel < 0 || connect(channel, server.get(), server.size) != 0) return errno;
  char back[8] = {};
  if (send(channel, "own", 4, MSG_NOSIGNAL) != 4 || recv(channel, back, sizeof back, 0) != 4) return errno;
  return std::strcmp(back, "own") == 0 ? 0 : EPROTO;
}

/// Answers one client with what it sends.
bool serve_one(int channel, int type) {
  char text[8] = {};
  if (type == SOCK_DGRAM) {
    address from;
    from.size = sizeof from.bytes;
    const ssize_t size = recvfrom(channel, text, sizeof text, 0, from.get(), &from.size);
    return size > 0 && sendto(channel, text, static_cast<std::size_t>(size), 0, from.get(), from.size) == size;
  }
  const int client = accept4(channel, nullptr, nullptr, SOCK_CLOEXEC);
  if (client < 0) return false;
  const ssize_t size = recv(client, text, sizeof text, 0);
  return size > 0 && send(client, text, static_cast<std::size_t>(size), MSG_NOSIGNAL) == size;
}

/// echo TYPE WHERE PORT: type 1 (stream), 2 (datagram) or 5 (packets in sequence); port 0: one that the kernel chooses.
outcome echo(arguments words) {
  const int type = static_cast<int>(words.number(0));
  address server = address_of(words.text(1), words.number(2));
  if (server.bytes.ss_family == AF_UNIX && words.text(1)[0] != '@') unlink(words.text(1)); // of an earlier act
  const int channel = socket(server.bytes.ss_family, type | SOCK_CLOEXEC, 0);
  if (channel < 0 || bind(channel, server.get(), server.size) != 0) return answer(-1);
  if (type != SOCK_DGRAM && listen(channel, 4) != 0) return answer(-1);
  if (server.bytes.ss_family != AF_UNIX && getsockname(channel, server.get(), &server.size) != 0) return answer(-1);
  const pid_t child = fork();
  if (child < 0) return answer(child);
  if (child == 0) _exit(ask(type, server));
  if (!serve_one(channel, type)) return answer(-1);
  return answer_of_child(child);
}

constexpr act table[] = {{"echo", echo}};

} // namespace

std::span<const act> own_socket_acts() { return table; }

} // namespace attempt
