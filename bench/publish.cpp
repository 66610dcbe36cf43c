// SPDX-License-Identifier: BSL-1.0
// Measures a published port against two relays of this file that pass on to a server on the machine: one copies through
// a buffer of 256 KiB, one uses splice(2). Bytes in, bytes out, and short connections one after the other.
//   publish [--check] [MIB] [CONNECTIONS] [ROUNDS]
#include "ways.hpp"

#include "../test/linux/running.hpp"

#include <arpa/inet.h>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <list>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

constexpr std::size_t piece = 256 * 1024;
std::vector<char> buffer(piece);

[[noreturn]] void stop(const std::string& what) {
  std::fprintf(stderr, "publish: %s: %s\n", what.c_str(), std::strerror(errno));
  std::exit(1);
}

sockaddr_in at(std::uint16_t port) {
  sockaddr_in a{};
  a.sin_family = AF_INET;
  a.sin_port = htons(port);
  a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return a;
}

int listening(std::uint16_t& port) {
  const int s = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
  ::setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in a = at(port);
  socklen_t size = sizeof a;
  if (::bind(s, reinterpret_cast<sockaddr*>(&a), size) != 0 || ::listen(s, 128) != 0) stop("no port");
  ::getsockname(s, reinterpret_cast<sockaddr*>(&a), &size);
  port = ntohs(a.sin_port);
  return s;
}

std::uint16_t free_port() {
  std::uint16_t port = 0;
  ::close(listening(port));
  return port;
}

int connected(std::uint16_t port) {
  const int s = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
  const sockaddr_in a = at(port);
  if (::connect(s, reinterpret_cast<const sockaddr*>(&a), sizeof a) != 0) {
    ::close(s);
    return -1;
  }
  ::setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return s;
}

bool send_all(int s, const void* from, std::size_t size) {
  return ::send(s, from, size, MSG_NOSIGNAL) == ssize_t(size);
}

/// Sends this number of bytes.
void send_bytes(int s, std::uint64_t left) {
  while (left != 0) {
    const std::size_t n = std::min<std::uint64_t>(left, piece);
    if (!send_all(s, buffer.data(), n)) return;
    left -= n;
  }
}

std::uint64_t receive_all(int s) {
  std::uint64_t all = 0;
  for (ssize_t n; (n = ::recv(s, buffer.data(), piece, 0)) > 0;) all += static_cast<std::uint64_t>(n);
  return all;
}

/// What a client requests: that number of bytes, after those that it sends.
struct question {
  std::uint64_t in = 0, out = 0;
};

/// Serves one client after the other.
[[noreturn]] void serve(std::uint16_t port) {
  const int s = listening(port);
  for (;;) {
    const int c = ::accept(s, nullptr, nullptr);
    question q;
    if (::recv(c, &q, sizeof q, MSG_WAITALL) == sizeof q) {
      const std::uint64_t got = receive_all(c);
      send_bytes(c, got == q.in ? q.out : 0);
    }
    ::close(c);
  }
}

void ask(std::uint16_t port, question q) {
  const int s = connected(port);
  if (s < 0 || !send_all(s, &q, sizeof q)) stop("no connection");
  send_bytes(s, q.in);
  ::shutdown(s, SHUT_WR);
  if (receive_all(s) != q.out) stop("bytes are missing");
  ::close(s);
}

/// A relay as one writes it: poll(2) over all connections, each with a buffer or a pipe for each way.
class relay {
public:
  relay(bool splices, std::uint16_t to) : splices_(splices), to_(to), listener_(listening(port_)) {
    std::thread([this] { work(); }).detach();
  }
  [[nodiscard]] std::uint16_t port() const { return port_; }

private:
  struct way_of_bytes {
    int from, to, pipe[2];
    bool ended = false;
    std::vector<char> held{};
  };

  /// Passes on what is there. A full reader makes it wait: there is one client at a time.
  void pass(way_of_bytes& w) {
    if (!splices_) {
      const ssize_t n = ::recv(w.from, w.held.data(), piece, MSG_DONTWAIT);
      if (n <= 0) return end(w, n);
      if (!send_all(w.to, w.held.data(), static_cast<std::size_t>(n))) w.ended = true;
      return;
    }
    ssize_t n = ::splice(w.from, nullptr, w.pipe[1], nullptr, piece, SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
    if (n <= 0) return end(w, n);
    while (n > 0) {
      const ssize_t out = ::splice(w.pipe[0], nullptr, w.to, nullptr, static_cast<std::size_t>(n), SPLICE_F_MOVE);
      if (out <= 0) return void(w.ended = true);
      n -= out;
    }
  }
  static void end(way_of_bytes& w, ssize_t n) {
    if (n < 0 && errno == EAGAIN) return;
    w.ended = true;
    ::shutdown(w.to, SHUT_WR);
  }
  void open() {
    const int outer = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC), inner = connected(to_), yes = 1;
    ::setsockopt(outer, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    for (auto [from, to] : {std::pair(outer, inner), std::pair(inner, outer)}) {
      way_of_bytes& w = ways_.emplace_back(way_of_bytes{from, to, {-1, -1}});
      if (!splices_) w.held.resize(piece);
      else if (::pipe2(w.pipe, O_CLOEXEC) == 0) ::fcntl(w.pipe[1], F_SETPIPE_SZ, piece);
    }
  }
  void close_ended() {
    for (auto w = ways_.begin(); w != ways_.end();) {
      const auto back = std::next(w);
      if (!w->ended || !back->ended) {
        w = std::next(back);
        continue;
      }
      for (const way_of_bytes* one : {&*w, &*back}) {
        ::close(one->from);
        for (const int fd : one->pipe)
          if (fd >= 0) ::close(fd);
      }
      w = ways_.erase(w, std::next(back));
    }
  }
  [[noreturn]] void work() {
    for (std::vector<pollfd> all;;) {
      all.assign(1, {listener_, POLLIN, 0});
      for (const way_of_bytes& w : ways_) all.push_back({w.ended ? -1 : w.from, POLLIN, 0});
      ::poll(all.data(), all.size(), -1);
      auto w = ways_.begin();
      for (std::size_t i = 1; i < all.size(); ++i, ++w)
        if (all[i].revents != 0) pass(*w);
      close_ended();
      if (all[0].revents != 0) open();
    }
  }

  bool splices_;
  std::uint16_t to_, port_ = 0;
  int listener_;
  std::list<way_of_bytes> ways_; ///< in pairs
};

} // namespace

int main(int argc, char** argv) {
  using namespace cordon;
  if (argc == 3 && std::string_view(argv[1]) == "serve") serve(static_cast<std::uint16_t>(std::atoi(argv[2])));
  const bool check = argc > 1 && std::string_view(argv[1]) == "--check";
  const int first = check ? 2 : 1;
  const auto number = [&](int i, std::size_t left_out) {
    return argc > first + i ? std::strtoul(argv[first + i], nullptr, 10) : left_out;
  };
  const std::uint64_t bytes = number(0, 1024) << 20;
  const std::size_t connections = number(1, 10'000);
  const int rounds = static_cast<int>(number(2, 5));

  const std::uint16_t plain = free_port(), published = free_port(), inside = free_port();
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const pid_t server = ::fork();
  if (server == 0) serve(plain);
  const runs::place here;
  format::document d = here.document();
  d.level = level::network;
  d.network.emplace();
  d.sockets.emplace().own = true;
  d.sockets->listen.push_back({published, published});
  d.files->push_back({self, verb::run});
  run_request request = here.shell("", d);
  request.argv = {self, "serve", std::to_string(inside)};
  request.publish.push_back({.port = published, .to = inside});
  request.asked.backend = launcher_id::namespaces;
  process_run run(std::move(request));
  const relay copies(false, plain), splices(true, plain);
  const auto is_up = [](std::uint16_t port) {
    const int s = connected(port);
    char byte = 0;
    const bool up = s >= 0 && ::shutdown(s, SHUT_WR) == 0 && ::recv(s, &byte, 1, 0) == 0;
    if (s >= 0) ::close(s);
    return up;
  };
  for (int left = 1000; left > 0 && !(is_up(plain) && is_up(published)); --left) ::usleep(10'000);
  if (!is_up(published)) stop("the published port is not served: " + run.take().ended.why);

  bool good = true;
  const auto measured = [&](const char* title, auto&& act) {
    for (const auto& [name, peer] :
         {std::pair("a relay that copies", copies.port()), std::pair("a relay that splices", splices.port())})
      for (int left = check ? 3 : 1; left > 0; --left) {
        const bool fits = compare(
            title, rounds, {{name, 0, [&, to = peer] { act(to); }}, {"cordon", 1 / 0.9, [&] { act(published); }}});
        if (left == 1) good &= fits;
        if (fits) break;
      }
  };
  measured("bytes into the run", [&](std::uint16_t to) { ask(to, {bytes, 0}); });
  measured("bytes out of the run", [&](std::uint16_t to) { ask(to, {0, bytes}); });
  measured("short connections", [&](std::uint16_t to) {
    for (std::size_t i = 0; i < connections; ++i) ask(to, {64, 64});
  });
  std::printf("server on the machine, without a relay\n");
  (void)compare("bytes out", rounds, {{"directly", 0, [&] { ask(plain, {0, bytes}); }}});
  run.cancel();
  (void)run.wait();
  ::kill(server, SIGKILL);
  ::waitpid(server, nullptr, 0);
  return good || !check ? 0 : 1;
}
