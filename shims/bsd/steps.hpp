// SPDX-License-Identifier: BSL-1.0
/// The common stages of launches, over the system calls of an `Os`: each call returns its result, or -errno.
#pragma once

#include "launch.hpp"

namespace cordon::bsd_shim {

// errno.h, sys/fcntl.h and sys/signal.h of 4.4BSD and of all systems derived from it
inline constexpr int eperm = 1, eintr = 4, ebadf = 9, einval = 22;
inline constexpr int dup_above = 0, set_flags = 2, close_on_exec = 1; // F_DUPFD, F_SETFD, FD_CLOEXEC
inline constexpr int signal_count = 32, signal_kill = 9, signal_stop = 17;

/// `How`: the confinement of the child.
template <class Os, class How> struct child_setup {
  Os& os;
  const command& what;
  const How& how;
  int report; ///< pipe for a failure; execve closes it
  int directory = what.directory;
  failure why{};
};

template <class Setup> struct stage {
  launch_stage at;
  int (*act)(Setup&) noexcept; ///< 0 or errno
};

/// First moves cordon's own descriptors away from 0, 1 and 2.
template <class Setup> int set_stdio(Setup& e) noexcept {
  const auto move_up = [&](int& fd) noexcept {
    const int moved = e.os.fcntl(fd, dup_above, 3);
    if (moved >= 0) fd = moved;
    return moved < 0 ? -moved : 0;
  };
  if (e.directory >= 0 && e.directory < 3)
    if (const int error = move_up(e.directory)) return error;
  if (const int old = e.report; old < 3) {
    if (const int error = move_up(e.report)) return error;
    e.os.close(old); // if the program kept it open, the parent would never read the end of the pipe
  }
  int from[3]{e.what.stdio[0], e.what.stdio[1], e.what.stdio[2]};
  for (int i = 0; i < 3; ++i)
    if (from[i] >= 0 && from[i] < 3 && from[i] != i)
      if (const int error = move_up(from[i])) return error;
  for (int i = 0; i < 3; ++i)
    if (from[i] >= 0) {
      const int done = from[i] == i ? e.os.fcntl(i, set_flags, 0) : e.os.dup2(from[i], i);
      if (done < 0) return -done;
    }
  return 0;
}

/// Runs before the confinement, when a directory that the policy does not grant can still be entered.
template <class Setup> int change_directory(Setup& e) noexcept {
  return e.directory >= 0 ? -e.os.fchdir(e.directory) : 0;
}

template <class Setup> int leave_session(Setup& e) noexcept {
  const int made = e.os.setsid();
  return made < 0 ? -made : 0;
}

template <class Setup> int set_limits(Setup& e) noexcept {
  for (e.why.part = 0; e.why.part < e.what.limit_count; ++e.why.part)
    if (const int error = e.os.setrlimit(e.what.limits[e.why.part]); error < 0) return -error;
  return 0;
}

template <class Setup> int reset_signals(Setup& e) noexcept {
  for (int s = 1; s < signal_count; ++s)
    if (s != signal_kill && s != signal_stop)
      if (const int error = e.os.reset_signal(s); error < 0) return -error;
  return -e.os.unblock_signals();
}

/// Runs in the child. Returns only after a failure, which it has written to the pipe.
template <class Setup, unsigned long N> void run_child_setup(Setup e, const stage<Setup> (&stages)[N]) noexcept {
  for (const stage<Setup>& next : stages) {
    e.why.part = 0;
    e.why.at = next.at;
    e.why.error = next.act(e);
    if (e.why.error == 0) continue;
    e.os.write(e.report, &e.why, sizeof e.why);
    return;
  }
}

/// Starts the program, and returns when it runs or has failed; after a failure no child and no descriptor remains.
template <class Os, class How, unsigned long N>
launched launch(Os& os, const command& what, const How& how, const stage<child_setup<Os, How>> (&stages)[N]) noexcept {
  launched result;
  int ends[2]{-1, -1};
  if (const int error = os.pipe(ends); error < 0) {
    result.why.at = launch_stage::create;
    result.why.error = -error;
    return result;
  }
  const int pid = os.fork();
  if (pid == 0) {
    os.close(ends[0]);
    run_child_setup(child_setup<Os, How>{os, what, how, ends[1]}, stages);
    os.exit(127);
    return result;
  }
  os.close(ends[1]);
  if (pid < 0) {
    os.close(ends[0]);
    result.why.at = launch_stage::create;
    result.why.error = -pid;
    return result;
  }
  int size = 0;
  do size = os.read(ends[0], &result.why, sizeof result.why);
  while (size == -eintr);
  os.close(ends[0]);
  if (size == 0) {
    result.pid = pid; // execve has closed the pipe
    return result;
  }
  if (size != static_cast<int>(sizeof result.why)) {
    result.why.at = launch_stage::create;
    result.why.error = size < 0 ? -size : einval;
  }
  os.kill(pid); // in any state: without a report from the child the start has failed
  (void)os.wait(pid);
  return result;
}

} // namespace cordon::bsd_shim
