// SPDX-License-Identifier: BSL-1.0
#include "supervise.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace cordon::linux_shim {
namespace {

[[nodiscard]] std::uint64_t now() {
  timespec t{};
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
}

[[nodiscard]] sigset_t ending_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int s : {SIGHUP, SIGINT, SIGQUIT, SIGTERM}) ::sigaddset(&set, s);
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

/// Copies what there is; false when the source has ended. Adds to `count`.
bool relay(int from, int to, std::uint64_t& count, std::uint64_t most) {
  static char buffer[1 << 16];
  const ssize_t n = ::read(from, buffer, sizeof buffer);
  if (n < 0) return errno == EAGAIN || errno == EINTR;
  if (n == 0) return false;
  const std::uint64_t room = most - count;
  const std::size_t pass = static_cast<std::uint64_t>(n) < room ? static_cast<std::size_t>(n) : static_cast<std::size_t>(room);
  count += static_cast<std::uint64_t>(n);
  for (std::size_t done = 0; done < pass;) {
    const ssize_t w = ::write(to, buffer + done, pass - done);
    if (w < 0 && errno == EAGAIN) {
      pollfd writable{to, POLLOUT, 0};
      ::poll(&writable, 1, -1);
    } else if (w < 0 && errno != EINTR) return true; // nobody reads any more: the program need not know
    else if (w > 0) done += static_cast<std::size_t>(w);
  }
  return true;
}

void tell(const launched& child, int signal) { ::syscall(SYS_pidfd_send_signal, child.pidfd, signal, nullptr, 0); }

} // namespace

supervisor::supervisor() {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  const sigset_t set = ending_signals();
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  signals_ = descriptor(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

supervisor::~supervisor() {
  const sigset_t set = ending_signals();
  ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
}

outcome supervisor::wait(const launched& child, std::uint64_t timeout, std::uint64_t output,
                         std::array<descriptor, 2> relay_from) {
  constexpr std::uint64_t none = ~std::uint64_t{0};
  constexpr std::uint64_t grace = 2'000'000'000; // for a program that was asked to end
  const descriptor pidfd(child.pidfd);
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
    pollfd events[4]{{pidfd.get(), POLLIN, 0}, {signals_.get(), POLLIN, 0}, {-1, POLLIN, 0}, {-1, POLLIN, 0}};
    for (std::size_t i = 0; i < 2; ++i) events[2 + i].fd = relay_from[i].get();
    timespec left{};
    if (deadline != none) {
      const std::uint64_t t = now(), rest = t < deadline ? deadline - t : 0;
      left = {static_cast<time_t>(rest / 1'000'000'000), static_cast<long>(rest % 1'000'000'000)};
    }
    ::ppoll(events, 4, deadline == none ? nullptr : &left, nullptr);
    for (std::size_t i = 0; i < 2; ++i)
      if (events[2 + i].revents != 0 && !relay(relay_from[i].get(), static_cast<int>(i) + 1, result.output_bytes, output))
        relay_from[i] = descriptor();
    if (output != none && result.output_bytes > output) {
      end(ending::output_quota, 0);
      tell(child, SIGKILL);
      deadline = none;
      relay_from = {};
    }
    if (events[1].revents != 0) {
      signalfd_siginfo asked{};
      if (::read(signals_.get(), &asked, sizeof asked) == sizeof asked) {
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
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(child.pid), &info, WEXITED);
  result.wall = now() - start;
  end(info.si_code == CLD_EXITED ? ending::exited : ending::signaled, info.si_status);
  end_tree();
  // With the tree gone every writer is gone: what is left in the pipes is all there will be.
  for (std::size_t i = 0; i < 2; ++i)
    while (relay_from[i] && result.output_bytes <= output &&
           relay(relay_from[i].get(), static_cast<int>(i) + 1, result.output_bytes, output)) {}
  if (output != none && result.output_bytes > output && result.how == ending::exited) {
    result.how = ending::output_quota;
    result.number = 0;
  }
  return result;
}

} // namespace cordon::linux_shim
