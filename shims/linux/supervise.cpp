// SPDX-License-Identifier: BSL-1.0
#include "supervise.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iterator>

namespace cordon::linux_shim {
namespace {

[[nodiscard]] std::uint64_t now() {
  timespec t{};
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
}

/// Those that ask to end, and the one that tells of a terminal's new size.
[[nodiscard]] sigset_t awaited_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int s : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGWINCH}) ::sigaddset(&set, s);
  return set;
}

/// Sends SIGKILL to every child of this process. None of them can have been reaped by anybody else, so that no number
/// can belong to another process by now. False if there is no way to list them.
bool kill_children() {
  // One list per thread; orphans come to the main thread (kernel/exit.c, find_new_reaper).
  char path[64];
  std::snprintf(path, sizeof path, "/proc/self/task/%d/children", static_cast<int>(::getpid()));
  std::FILE* const list = std::fopen(path, "re");
  if (list == nullptr) return false;
  for (int pid; std::fscanf(list, "%d", &pid) == 1;) ::kill(pid, SIGKILL);
  std::fclose(list);
  return true;
}

/// Ends what is left of the tree: orphans are this process's children by now, and theirs will be.
void end_tree() {
  for (;;) {
    const bool listed = kill_children();
    siginfo_t info{};
    const int options = WEXITED | (listed ? 0 : WNOHANG);
    if (::waitid(P_ALL, 0, &info, options) != 0 && errno != EINTR) return;
    if (!listed && info.si_pid == 0) return;
  }
}

/// Towards the program: what there is room for. What there is none for waits, and the relay's source with it.
void copy_inward(relay& r) {
  if (r.left.empty()) {
    char buffer[PIPE_BUF];
    const ssize_t n = ::read(r.from.get(), buffer, sizeof buffer);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n <= 0) return void(r = relay());
    r.left.assign(buffer, static_cast<std::size_t>(n));
  }
  const ssize_t w = ::write(r.to.get(), r.left.data(), r.left.size());
  if (w > 0) r.left.erase(0, static_cast<std::size_t>(w));
  else if (errno != EAGAIN && errno != EINTR) r = relay();
}

/// Copies what there is and ends the relay with its source, or when nobody reads any more. Adds to `count`, and passes
/// no more than `most` in all.
void copy(relay& r, std::uint64_t& count, std::uint64_t most) {
  if (r.inward) return copy_inward(r);
  static char buffer[1 << 16];
  const ssize_t n = ::read(r.from.get(), buffer, sizeof buffer);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n <= 0) return void(r = relay());
  auto pass = static_cast<std::size_t>(n);
  if (r.counted) {
    if (most - count < pass) pass = static_cast<std::size_t>(most - count);
    count += static_cast<std::uint64_t>(n);
  }
  for (std::size_t done = 0; done < pass;) {
    const ssize_t w = ::write(r.to.get(), buffer + done, pass - done);
    if (w > 0) done += static_cast<std::size_t>(w);
    else if (errno == EAGAIN) {
      pollfd writable{r.to.get(), POLLOUT, 0};
      ::poll(&writable, 1, -1);
    } else if (errno != EINTR) return void(r = relay());
  }
}

/// What to wait for. Towards the program only what its pipe has room for is read, so that a program that does not read
/// never holds up its own output; POLLOUT on a pipe means room for PIPE_BUF bytes.
[[nodiscard]] pollfd awaited(const relay& r) {
  pollfd room{r.to.get(), POLLOUT, 0};
  if (r.inward && (!r.left.empty() || ::poll(&room, 1, 0) == 0)) return room;
  return {r.from.get(), POLLIN, 0};
}

/// The wait status.
[[nodiscard]] int reap(const launched& child) {
  int status = 0;
  while (::waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {}
  return status;
}

void tell(const launched& child, int signal) {
  ::syscall(SYS_pidfd_send_signal, child.first >= 0 ? child.first : child.pidfd, signal, nullptr, 0);
}

} // namespace

supervisor::supervisor(const terminal* own) : own_(own) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  const sigset_t set = awaited_signals();
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  signals_ = descriptor(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

supervisor::~supervisor() {
  const sigset_t set = awaited_signals();
  ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
}

outcome supervisor::wait(const launched& child, std::uint64_t timeout, std::uint64_t output,
                         std::array<relay, 3> relays, descriptor status) {
  constexpr std::uint64_t none = ~std::uint64_t{0};
  constexpr std::uint64_t grace = 2'000'000'000; // for a program that was asked to end
  const descriptor pidfd(child.pidfd), first(child.first);
  const std::uint64_t start = now();
  std::uint64_t deadline = timeout == none ? none : start + timeout;
  outcome result;
  bool decided = false;
  const auto end = [&](ending how, int number) {
    if (decided) return;
    decided = true;
    result.how = how;
    result.number = number;
  };
  for (bool running = true; running;) {
    pollfd events[2 + relays.size()]{{pidfd.get(), POLLIN, 0}, {signals_.get(), POLLIN, 0}};
    for (std::size_t i = 0; i < relays.size(); ++i) events[2 + i] = awaited(relays[i]);
    timespec left{};
    if (deadline != none) {
      const std::uint64_t t = now(), rest = t < deadline ? deadline - t : 0;
      left = {static_cast<time_t>(rest / 1'000'000'000), static_cast<long>(rest % 1'000'000'000)};
    }
    ::ppoll(events, std::size(events), deadline == none ? nullptr : &left, nullptr);
    for (std::size_t i = 0; i < relays.size(); ++i)
      if (events[2 + i].revents != 0 && (events[2 + i].fd == relays[i].from.get() || !relays[i].left.empty()))
        copy(relays[i], result.output_bytes, output);
    if (output != none && result.output_bytes > output) {
      end(ending::output_quota, 0);
      tell(child, SIGKILL);
      deadline = none;
      relays = {};
    }
    if (events[1].revents != 0) {
      signalfd_siginfo asked{};
      const bool is_told = ::read(signals_.get(), &asked, sizeof asked) == sizeof asked;
      if (is_told && asked.ssi_signo == SIGWINCH) {
        if (own_ != nullptr) own_->resize();
      } else if (is_told) {
        end(ending::interrupted, static_cast<int>(asked.ssi_signo));
        tell(child, static_cast<int>(asked.ssi_signo));
        deadline = now() + grace;
      }
    }
    if (deadline != none && now() >= deadline) {
      end(ending::timed_out, 0);
      tell(child, SIGKILL);
      deadline = none;
    }
    running = events[0].revents == 0;
  }
  int ended = reap(child);
  // A first process that says nothing was killed, and the program with it.
  if (status && ::read(status.get(), &ended, sizeof ended) != sizeof ended) ended = SIGKILL;
  result.wall = now() - start;
  if (WIFEXITED(ended)) end(ending::exited, WEXITSTATUS(ended));
  else end(ending::signaled, WTERMSIG(ended));
  end_tree();
  // With the tree gone every writer is gone: what is left in the pipes is all there will be.
  for (std::size_t i = 1; i < relays.size(); ++i)
    while (relays[i].from && result.output_bytes <= output) copy(relays[i], result.output_bytes, output);
  if (output != none && result.output_bytes > output && result.how == ending::exited) {
    result.how = ending::output_quota;
    result.number = 0;
  }
  return result;
}

} // namespace cordon::linux_shim
