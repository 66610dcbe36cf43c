// SPDX-License-Identifier: BSL-1.0
#include "init.hpp"

#include "../child/landlock_calls.hpp"
#include "../child/raw_syscall.hpp"
#include "../child/vfork.hpp"

#include <cordon/backend/landlock/access.hpp>

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/keyctl.h>
#include <linux/openat2.h>
#include <sys/ioctl.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>

namespace cordon::linux_shim {
namespace {

/// Replaces a descriptor from outside by one of the same inode in the view. With the descriptor from outside, the
/// working directory would lie outside the view, or a file could run that is not executable in it. Returns: ESTALE if
/// another inode has the path.
int move_inside(int& fd, const host_path& place) noexcept {
  if (place.is.type == 0) return 0;
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC | O_NOFOLLOW;
  how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  const long inside = raw_syscall(SYS_openat2, AT_FDCWD, place.at, &how, sizeof how);
  if (inside < 0) return static_cast<int>(-inside);
  inode_id there;
  if (const int error = read_inode_id(static_cast<int>(inside), there)) return error;
  fd = static_cast<int>(inside);
  return there == place.is ? 0 : ESTALE;
}

/// Moves the descriptors to 3, 4 and 5, where the reaper expects them, and marks all others close-on-exec.
int arrange_descriptors(int& program, int line, int status, int terminal) noexcept {
  constexpr int least = 6;
  for (int* fd : {&program, &line, &status, &terminal})
    if (*fd >= 0)
      if (const int error = move_up(*fd, least)) return error;
  int number = 3;
  for (const int fd : {line, status, terminal}) {
    if (fd < 0) raw_syscall(SYS_close, number);
    else if (const int error = error_of(SYS_dup3, fd, number, 0)) return error;
    ++number;
  }
  for (const int fd : {0, 1, 2}) raw_syscall(SYS_close, fd);
  return mark_from(least);
}

/// The kernel's struct termios, which no header declares beside that of the C library: 36 bytes on every machine here.
struct kernel_modes {
  alignas(8) unsigned char bytes[64];
};

/// Gives a new terminal the modes and the size of another one.
int copy_settings(long from, long to) noexcept {
  kernel_modes modes{};
  if (const int error = error_of(SYS_ioctl, from, TCGETS, &modes)) return error;
  if (const int error = error_of(SYS_ioctl, to, TCSETS, &modes)) return error;
  winsize size{};
  if (const int error = error_of(SYS_ioctl, from, TIOCGWINSZ, &size)) return error;
  return error_of(SYS_ioctl, to, TIOCSWINSZ, &size);
}

/// Makes a terminal of the view's own devpts: its name means something there. It gets the number of the given one.
int make_terminal(int given, int to) noexcept {
  const long outer = raw_syscall(SYS_openat, AT_FDCWD, "/dev/pts/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC, 0);
  if (outer < 0) return static_cast<int>(-outer);
  const int unlocked = 0;
  if (const int error = error_of(SYS_ioctl, outer, TIOCSPTLCK, &unlocked)) return error;
  const long inner = raw_syscall(SYS_ioctl, outer, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (inner < 0) return static_cast<int>(-inner);
  if (const int error = copy_settings(given, inner)) return error;
  if (const int error = error_of(SYS_dup3, inner, given, O_CLOEXEC)) return error;
  if (const int error = send_descriptor(to, static_cast<int>(outer))) return error;
  raw_syscall(SYS_close, inner);
  return error_of(SYS_close, outer);
}

} // namespace

int take_terminal(init_setup& u) noexcept {
  const command& what = u.program.what;
  if (what.terminal < 0) return 0;
  if (what.terminal_maker >= 0)
    if (const int error = make_terminal(what.terminal, what.terminal_maker)) return error;
  u.program.in_session = true;
  return start_session(what.terminal);
}

/// The caller's session keyring leads to its keys. If keyctl(2) is unavailable, the sandboxed program lacks it too;
/// nothing to do.
int renew_keyring(init_setup& u) noexcept {
  if (!u.own.keyring) return 0;
  const int error = error_of(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr);
  return error == ENOSYS || error == EPERM ? 0 : error;
}

int check_root(init_setup&) noexcept {
  struct statfs root {};
  if (const int unseen = error_of(SYS_statfs, "/", &root)) return unseen;
  constexpr long dead = ST_NOSUID | ST_NODEV;
  return (root.f_flags & dead) == dead ? 0 : EXDEV;
}

int find_places(init_setup& u) noexcept {
  if (const int error = move_inside(u.program.cwd, u.directory_place)) return error;
  return move_inside(u.program.program, u.program_place);
}

/// Adds a rule for an open inode and everything beneath it. Returns: 0 or errno.
int allow_beneath(long ruleset, std::uint64_t access, long inode) noexcept {
  const landlock_calls::path_beneath rule{access, static_cast<std::int32_t>(inode)};
  return error_of(landlock_calls::add_rule, ruleset, landlock_calls::rule_path_beneath, &rule, 0);
}

int add_stream_rules(init_setup& u) noexcept {
  for (int i = 0; i < 3; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (!u.program.what.reopenable[at]) continue;
    const int fd = u.program.what.stdio[at] < 0 ? i : u.program.what.stdio[at];
    if (const int error = allow_beneath(u.program.ruleset, landlock::READ_FILE, fd)) return error;
  }
  return 0;
}

int write_rules(init_setup& u) noexcept {
  if (u.own.ruleset_size == 0) return 0;
  const long ruleset = raw_syscall(landlock_calls::create_ruleset, &u.own.ruleset, u.own.ruleset_size, 0);
  if (ruleset < 0) return static_cast<int>(-ruleset);
  u.program.ruleset = static_cast<int>(ruleset);
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC | O_NOFOLLOW;
  how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  for (const own_rule& r : u.own.rules) {
    const long place = raw_syscall(SYS_openat2, AT_FDCWD, r.place, &how, sizeof how);
    if (place == -ENOENT) continue; // the policy's mounts hide it
    if (place < 0) return static_cast<int>(-place);
    const int error = allow_beneath(ruleset, r.access, place);
    raw_syscall(SYS_close, place);
    if (error) return error;
  }
  return add_stream_rules(u);
}

int start_program(init_setup& u) noexcept {
  int no_group = -1;
  const vforked made = vfork_run(u.stack, 0, no_group, run_child_setup, &u.program);
  if (made.error) return made.error;
  if (u.program.error) return u.program.error;
  if (u.program.reached != launch_stage::exec) return ECANCELED;
  return made.pid == 2 ? 0 : ENOTSUP; // the reaper expects process 2
}

int become_init(init_setup& u) noexcept {
  int program = u.own.reaper;
  if (const int error = arrange_descriptors(program, u.own.lifeline, u.program.what.status, u.program.what.terminal))
    return error;
  if (const int error = renounce_privileges(u.program)) return error;
  // The program runs by now, and this memory may be the launcher's. A process with fewer capabilities than this one
  // cannot read it (cap_ptrace_access_check, security/commoncap.c). Exec removes those that are left.
  const int still = drop_capabilities_but(u.program, 1U << CAP_SETPCAP);
  if (const int error = still == EPERM ? drop_capabilities(u.program) : still) return error;
  static const char* const none[]{nullptr};
  const char* const words[]{"cordon", u.program.what.reports_stops ? "stops" : nullptr, nullptr};
  return error_of(SYS_execveat, program, "", words, none, AT_EMPTY_PATH);
}

} // namespace cordon::linux_shim
