// SPDX-License-Identifier: BSL-1.0
#include "relay.hpp"

#include "../files/path_resolver.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <ctime>
#include <span>

namespace cordon::linux_shim {
namespace {

/// Writes as much as is possible without blocking. A blocking descriptor of a pipe takes PIPE_BUF bytes after POLLOUT.
[[nodiscard]] ssize_t put(int to, const char* from, std::size_t size) {
  const ssize_t sent = ::send(to, from, size, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (sent >= 0 || errno != ENOTSOCK) return sent;
  struct stat st {};
  const bool file = ::fstat(to, &st) == 0 && S_ISREG(st.st_mode);
  if (!file && (::fcntl(to, F_GETFL) & O_NONBLOCK) == 0) {
    pollfd room{to, POLLOUT, 0};
    if (::poll(&room, 1, 0) == 0) {
      errno = EAGAIN;
      return -1;
    }
    size = std::min<std::size_t>(size, PIPE_BUF);
  }
  return ::write(to, from, size);
}

/// While an object lives, a write of this thread delivers no SIGPIPE.
class without_sigpipe {
public:
  without_sigpipe() {
    ::sigemptyset(&only_);
    ::sigaddset(&only_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &only_, &before_);
  }
  ~without_sigpipe() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  without_sigpipe(const without_sigpipe&) = delete;
  without_sigpipe& operator=(const without_sigpipe&) = delete;
  /// Call it after EPIPE. Removes the pending signal, which write(2) sends to the thread, unless it was blocked before.
  void take() const {
    const timespec at_once{};
    if (::sigismember(&before_, SIGPIPE) == 0) ::sigtimedwait(&only_, nullptr, &at_once);
  }

private:
  sigset_t only_{}, before_{};
};

/// Ends a relay whose output cannot be written. The program's next write fails with EPIPE.
void fail(relay& r, int error) {
  r = relay();
  r.error = error;
  r.lost = error == EPIPE;
}

/// Returns: how many of `size` more bytes may be passed on.
[[nodiscard]] std::size_t admitted(const relay& r, std::size_t size, std::uint64_t& count, std::uint64_t most) {
  if (!r.counted) return size;
  const auto pass = static_cast<std::size_t>(std::min<std::uint64_t>(size, most - std::min(most, count)));
  count += size;
  return pass;
}

/// Moves bytes from pipe to pipe without a copy (splice(2)), if no limit and no listener needs the bytes. Returns:
/// false if no more bytes or no more room are available now.
[[nodiscard]] bool splice_once(relay& r, std::uint64_t& count, const without_sigpipe& quiet) {
  constexpr std::size_t most = std::size_t{1} << 20;
  const ssize_t n = ::splice(r.from.get(), nullptr, r.to.get(), nullptr, most, SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
  if (n > 0) {
    r.read += static_cast<std::uint64_t>(n);
    count += static_cast<std::uint64_t>(n);
    return true;
  }
  const int error = n < 0 ? errno : 0;
  if (error == EPIPE) quiet.take();
  if (n < 0 && (error == EAGAIN || error == EINTR)) {
    pollfd more{r.from.get(), POLLIN, 0};
    r.blocked = error == EAGAIN && ::poll(&more, 1, 0) > 0 && (more.revents & POLLIN) != 0;
    return false;
  }
  fail(r, error);
  return false;
}

/// Reads and passes on. Returns: false if no more bytes are available now.
[[nodiscard]] bool read_once(relay& r, std::span<char> to, std::uint64_t& count, std::uint64_t most) {
  const ssize_t n = ::read(r.from.get(), to.data(), to.size());
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (n <= 0) {
    r = relay();
    return false;
  }
  const auto size = static_cast<std::size_t>(n);
  r.read += size;
  const std::string_view piece(to.data(), admitted(r, size, count, most));
  if (r.listener != nullptr && !piece.empty()) (*r.listener)(piece);
  if (r.keep != nullptr) r.keep->commit(piece.size());
  else if (const written done = put_all(r.to.get(), piece); done.error != 0) fail(r, done.error);
  else r.left.assign(piece.substr(done.size));
  return size == to.size() && piece.size() == size && r.from && r.left.empty();
}

} // namespace

written put_all(int to, std::string_view bytes) {
  const without_sigpipe quiet;
  written done;
  while (done.size < bytes.size()) {
    const ssize_t n = put(to, bytes.data() + done.size, bytes.size() - done.size);
    if (n >= 0) done.size += static_cast<std::size_t>(n);
    else if (errno == EAGAIN || errno == EINTR) break;
    else {
      done.error = errno;
      quiet.take();
      break;
    }
  }
  return done;
}

descriptor unwaiting(int fd) {
  struct stat st {};
  if (::fstat(fd, &st) == 0 && (S_ISFIFO(st.st_mode) || ::isatty(fd) != 0)) {
    if (descriptor apart(::open(descriptor_path(fd).c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)); apart)
      return apart;
  }
  return descriptor(::fcntl(fd, F_DUPFD_CLOEXEC, 3));
}

bool is_pipe(int fd) {
  struct stat st {};
  return fd >= 0 && ::fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode);
}

void notice_reader(relay& r) {
  pollfd gone{r.to.get(), 0, 0};
  if (!r.may_lose_reader() || ::poll(&gone, 1, 0) <= 0 || (gone.revents & POLLERR) == 0) return;
  int waiting = 0;
  const bool lost = !r.left.empty() || ::ioctl(r.from.get(), FIONREAD, &waiting) != 0 || waiting > 0;
  fail(r, EPIPE);
  r.lost = lost;
}

void settle(relay& r) {
  int waiting = 0;
  if (r.from && ::ioctl(r.from.get(), FIONREAD, &waiting) == 0) r.owed = r.read + static_cast<std::uint64_t>(waiting);
}

pollfd awaited(const relay& r) {
  pollfd room{r.to.get(), POLLOUT, 0};
  if (!r.left.empty() || r.blocked) return room;
  // POLLOUT on a pipe means room for PIPE_BUF bytes: a program that does not read its input never delays its own
  // output.
  if (r.inward && ::poll(&room, 1, 0) == 0) return room;
  return {r.from.get(), POLLIN, 0};
}

void copy(relay& r, std::uint64_t& count, std::uint64_t most) {
  if (!r.left.empty()) {
    const written done = put_all(r.to.get(), std::string_view(r.left).substr(r.sent));
    if (done.error != 0) return fail(r, done.error);
    if ((r.sent += done.size) == r.left.size()) {
      r.left.clear();
      r.sent = 0;
    }
    if (!r.is_open()) r = relay();
    return;
  }
  r.blocked = false;
  constexpr int at_once = 16; // then the other relays continue
  if (r.spliced) {
    const without_sigpipe quiet;
    for (int i = 0; i < at_once && splice_once(r, count, quiet); ++i) {}
    return;
  }
  std::array<char, std::size_t{1} << 16> buffer;
  for (int i = 0; i < at_once; ++i) {
    const std::span<char> own(buffer.data(), r.inward ? PIPE_BUF : buffer.size());
    if (!read_once(r, r.keep != nullptr ? r.keep->room() : own, count, most) || r.inward) return;
  }
}

} // namespace cordon::linux_shim
