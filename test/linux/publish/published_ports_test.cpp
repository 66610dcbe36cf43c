// SPDX-License-Identifier: BSL-1.0
#include "../../../shims/linux/publish/published_ports.hpp"

#include "../../dice.hpp"

#include <cordon/notation/parse.hpp>

#include <doctest/doctest.h>

#include <arpa/inet.h>
#include <csignal>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace publish_published_ports_test {
namespace {

using namespace cordon;

constexpr std::uint16_t inside = 80;

union address {
  sockaddr any;
  sockaddr_in inet;
};

address at(std::uint16_t port) {
  address a{};
  a.inet.sin_family = AF_INET;
  a.inet.sin_port = htons(port);
  a.inet.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return a;
}

/// Bound and not listening: until the end, only sockets that ask for SO_REUSEADDR, as published ones do, can take the port.
struct reserved_port {
  shim::descriptor socket{::socket(AF_INET, SOCK_STREAM, 0)};
  std::uint16_t port = 0;

  reserved_port() {
    const int yes = 1;
    address a = at(0);
    socklen_t size = sizeof a;
    REQUIRE(::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0);
    REQUIRE(::bind(socket.get(), &a.any, size) == 0);
    REQUIRE(::getsockname(socket.get(), &a.any, &size) == 0);
    port = ntohs(a.inet.sin_port);
  }
};

/// In namespaces of its own: sends bytes to each client.
[[noreturn]] void serve(int ready, std::size_t sent) {
  ifreq device{.ifr_ifrn = {"lo"}, .ifr_ifru = {}};
  device.ifr_flags = IFF_UP;
  const address a = at(inside);
  const bool apart = ::unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0;
  const int s = ::socket(AF_INET, SOCK_STREAM, 0);
  if (!apart || ::ioctl(s, SIOCSIFFLAGS, &device) != 0 || ::bind(s, &a.any, sizeof a) != 0 || ::listen(s, 64) != 0)
    ::_exit(1);
  (void)!::write(ready, "", 1);
  const std::string all(sent, 'x');
  for (;;) {
    const int c = ::accept(s, nullptr, nullptr);
    (void)!::write(c, all.data(), all.size());
    ::close(c);
  }
}

struct server {
  pid_t pid = -1;
  shim::descriptor process;

  explicit server(std::size_t sent) {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    pid = ::fork();
    if (pid == 0) serve(ends[1], sent);
    ::close(ends[1]);
    char byte = 0;
    REQUIRE(::read(ends[0], &byte, 1) == 1);
    ::close(ends[0]);
    process = shim::descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  }
  ~server() {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
  }
};

loaded_policy listing(std::uint16_t port) {
  const std::string text = "level network\nnetwork none\nsockets own\nlisten " + std::to_string(port) + "\n";
  const auto p = notation::parse<loaded_policy>(text);
  REQUIRE(p);
  return *p;
}

shim::descriptor client_of(std::uint16_t port) {
  shim::descriptor s(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const address a = at(port);
  REQUIRE(::connect(s.get(), &a.any, sizeof a) == 0);
  return s;
}

/// Returns: the number of bytes until the end; none: an error came first.
std::optional<std::size_t> read_all(const shim::descriptor& client) {
  std::array<char, 65536> buffer{};
  std::size_t all = 0;
  for (ssize_t n; (n = ::recv(client.get(), buffer.data(), buffer.size(), 0)) != 0; all += static_cast<std::size_t>(n))
    if (n < 0) return {};
  return all;
}

TEST_CASE("published ports: a run that ends at any moment loses no connection without an error") {
  constexpr std::size_t sent = 100'000;
  const server run(sent);
  dice d(7);
  std::size_t whole = 0, cut = 0;
  for (int i = 0; i < 100; ++i) {
    const reserved_port reserved;
    const std::uint16_t port = reserved.port;
    linux_shim::published_ports ports({{.port = port, .to = inside}}, listing(port), "namespaces", true);
    ports.begin(shim::descriptor(::dup(run.process.get())));
    std::vector<shim::descriptor> clients;
    for (int k = 0; k < 4; ++k) clients.push_back(client_of(port));
    ::usleep(static_cast<useconds_t>(d.below(3000)));
    ports.end();
    for (const shim::descriptor& c : clients)
      if (const auto got = read_all(c); got) ++(*got == sent ? whole : cut);
    clients.clear();
    pollfd over{ports.descriptor(), POLLIN, 0};
    REQUIRE(::poll(&over, 1, 20'000) == 1);
    CHECK(ports.is_over());
  }
  CHECK(cut == 0);
  CHECK(whole > 0);
}

TEST_CASE("published ports: a reader that has read nothing when all ends gets an error, not an end") {
  const server run(100'000'000); // more than all buffers hold
  const reserved_port reserved;
  const std::uint16_t port = reserved.port;
  shim::descriptor client;
  {
    linux_shim::published_ports ports({{.port = port, .to = inside}}, listing(port), "namespaces", true);
    ports.begin(shim::descriptor(::dup(run.process.get())));
    client = client_of(port);
    char byte = 0;
    REQUIRE(::recv(client.get(), &byte, 1, 0) == 1); // it is passed on
  }
  CHECK(!read_all(client));
}

} // namespace
} // namespace publish_published_ports_test
