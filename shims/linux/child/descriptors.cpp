// SPDX-License-Identifier: BSL-1.0
#include "child.hpp"
#include "raw_syscall.hpp"

#include <cstddef>
#include <fcntl.h>
#include <sys/syscall.h>

namespace cordon::linux_shim {
namespace {

constexpr int first_above_stdio = 3;
constexpr unsigned mark_only = 4; // CLOSE_RANGE_CLOEXEC, Linux 5.11

int set_flags(int fd, int flags) noexcept { return error_of(SYS_fcntl, fd, F_SETFD, flags); }

/// Returns: the number in a directory entry's name; -1 for "." and "..".
int number(const char* name) noexcept {
  int value = 0;
  for (; *name; ++name) {
    if (*name < '0' || *name > '9') return -1;
    value = value * 10 + (*name - '0');
  }
  return value;
}

struct entry { // linux_dirent64 of getdents64(2)
  std::uint64_t inode;
  std::int64_t offset;
  std::uint16_t length;
  std::uint8_t type;
  char name[1];
};

/// For kernels without close_range(2) or the flag, and filters that refuse it. Without /proc, the open descriptors are
/// unknown, and the launch fails: an unknown descriptor could bypass the policy.
int mark_listed(int least) noexcept {
  const long directory = raw_syscall(SYS_openat, AT_FDCWD, "/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  if (directory < 0) return static_cast<int>(-directory);
  alignas(entry) char buffer[2048];
  for (;;) {
    const long filled = raw_syscall(SYS_getdents64, directory, buffer, sizeof buffer);
    if (filled < 0) return static_cast<int>(-filled);
    if (filled == 0) return error_of(SYS_close, directory);
    for (long at = 0; at < filled;) {
      const auto* item = reinterpret_cast<const entry*>(buffer + at);
      const int fd = number(buffer + at + offsetof(entry, name));
      if (fd >= least)
        if (const int error = set_flags(fd, FD_CLOEXEC)) return error;
      at += item->length;
    }
  }
}

} // namespace

int move_up(int& fd, int least) noexcept {
  const long moved = raw_syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, least);
  if (moved < 0) return static_cast<int>(-moved);
  fd = static_cast<int>(moved);
  return 0;
}

int mark_from(int least) noexcept {
  // Marked instead of closed: exec needs some of them, and closes them itself.
  return error_of(SYS_close_range, least, ~0U, mark_only) ? mark_listed(least) : 0;
}

int step_aside(child_setup& e) noexcept {
  int least = first_above_stdio;
  for (const int fd : e.what.keep)
    if (fd >= least) least = fd + 1;
  const auto in_the_way = [&](int fd) {
    if (fd < 0) return false;
    if (fd < first_above_stdio) return true;
    for (const int kept : e.what.keep)
      if (kept == fd) return true;
    return false;
  };
  for (int* own : {&e.ruleset, &e.program, &e.cwd, &e.cgroup, &e.watcher})
    if (in_the_way(*own))
      if (const int error = move_up(*own, least)) return error;
  return 0;
}

int arrange_stdio(const child_setup& e) noexcept {
  auto from = e.what.stdio;
  int target = 0;
  for (int& source : from) {
    if (source >= 0 && source < first_above_stdio && source != target)
      if (const int error = move_up(source, first_above_stdio)) return error;
    ++target;
  }
  target = 0;
  for (const int source : from) {
    if (source >= 0)
      if (const int error = source == target ? set_flags(target, 0) : error_of(SYS_dup3, source, target, 0))
        return error;
    ++target;
  }
  return 0;
}

int mark_descriptors(const child_setup& e) noexcept {
  if (const int error = mark_from(first_above_stdio)) return error;
  for (const int fd : e.what.keep)
    if (fd >= first_above_stdio)
      if (const int error = set_flags(fd, 0)) return error;
  return 0;
}

} // namespace cordon::linux_shim
