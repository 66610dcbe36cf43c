// SPDX-License-Identifier: BSL-1.0
#include "relay.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <climits>

namespace cordon::linux_shim {
namespace {

/// As much as goes without waiting: a descriptor that waits takes so much after POLLOUT, if it is a pipe.
[[nodiscard]] ssize_t put(int to, const char* from, std::size_t size) {
  const ssize_t sent = ::send(to, from, size, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (sent >= 0 || errno != ENOTSOCK) return sent;
  struct stat st {};
  const bool file = ::fstat(to, &st) == 0 && S_ISREG(st.st_mode);
  if (!file && (::fcntl(to, F_GETFL) & O_NONBLOCK) == 0) {
    pollfd room{to, POLLOUT, 0};
    if (::poll(&room, 1, 0) == 0) return errno = EAGAIN, -1;
    size = std::min<std::size_t>(size, PIPE_BUF);
  }
  return ::write(to, from, size);
}

/// What is left, until there is no room; false if nobody reads any more.
[[nodiscard]] bool flush(relay& r) {
  while (!r.left.empty()) {
    const ssize_t n = put(r.to.get(), r.left.data(), r.left.size());
    if (n < 0) return errno == EAGAIN || errno == EINTR;
    r.left.erase(0, static_cast<std::size_t>(n));
  }
  return true;
}

} // namespace

descriptor unwaiting(int fd) {
  struct stat st {};
  if (::fstat(fd, &st) == 0 && (S_ISFIFO(st.st_mode) || ::isatty(fd) != 0)) {
    const std::string path = "/proc/self/fd/" + std::to_string(fd);
    if (descriptor apart(::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)); apart) return apart;
  }
  return descriptor(::fcntl(fd, F_DUPFD_CLOEXEC, 3));
}

pollfd awaited(const relay& r) {
  pollfd room{r.to.get(), POLLOUT, 0};
  if (!r.left.empty()) return room;
  // POLLOUT on a pipe means room for PIPE_BUF bytes: a program that does not read never holds up its own output.
  if (r.inward && ::poll(&room, 1, 0) == 0) return room;
  return {r.from.get(), POLLIN, 0};
}

void copy(relay& r, std::uint64_t& count, std::uint64_t most) {
  if (r.left.empty()) {
    static char buffer[1 << 16];
    const ssize_t n = ::read(r.from.get(), buffer, r.inward ? PIPE_BUF : sizeof buffer);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n <= 0) return void(r = relay());
    auto pass = static_cast<std::uint64_t>(n);
    if (r.counted) {
      pass = std::min(pass, most - std::min(most, count));
      count += static_cast<std::uint64_t>(n);
    }
    r.left.assign(buffer, static_cast<std::size_t>(pass));
  }
  if (!flush(r)) r = relay();
}

} // namespace cordon::linux_shim
