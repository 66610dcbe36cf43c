// SPDX-License-Identifier: BSL-1.0
/// The system calls of a launch that macOS and OpenBSD share. Include it after the declarations of the calls: from the
/// system's headers, or without any header as the manual pages have them.
#pragma once

#include "steps.hpp"

namespace cordon::bsd_shim {

/// `LastError` returns errno.
template <int (*LastError)() noexcept> struct system_calls {
  static int of(long answer) noexcept { return answer < 0 ? -LastError() : static_cast<int>(answer); }

  int fork() noexcept { return of(::fork()); }
  int dup2(int from, int to) noexcept { return of(::dup2(from, to)); }
  int fcntl(int fd, int what, int value) noexcept { return of(::fcntl(fd, what, value)); }
  int fchdir(int fd) noexcept { return of(::fchdir(fd)); }
  void close(int fd) noexcept { ::close(fd); }
  int setsid() noexcept { return of(::setsid()); }
  int setrlimit(const resource_limit& l) noexcept {
    const rlimit both{l.soft, l.hard};
    return of(::setrlimit(l.resource, &both));
  }
  int read(int fd, void* to, unsigned long size) noexcept { return of(::read(fd, to, size)); }
  void write(int fd, const void* from, unsigned long size) noexcept { (void)::write(fd, from, size); }
  void kill(int pid) noexcept { ::kill(pid, signal_kill); }
  int wait(int pid) noexcept {
    int status = 0, answer = 0;
    do answer = of(::waitpid(pid, &status, 0));
    while (answer == -eintr);
    return answer < 0 ? answer : status;
  }
  void exit(int status) noexcept { ::_exit(status); }
};

} // namespace cordon::bsd_shim
