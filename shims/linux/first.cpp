// SPDX-License-Identifier: BSL-1.0
#include "first.hpp"

#include "landlock_calls.hpp"
#include "raw.hpp"
#include "vfork.hpp"

#include <csignal>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <linux/openat2.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>

namespace cordon::linux_shim {
namespace {

int join_groups(undertaking& u) noexcept {
  const int error = join_cgroup(u.program);
  u.program.cgroup = -1;
  u.program.groups = {}; // the program is born in them
  return error;
}

/// No look whether the parent has died before: it is outside, where it has no number (0). The lifeline tells.
int watch_parent(undertaking& u) noexcept {
  if (u.program.parent == 0) return 0;
  u.program.parent = 0; // the program dies with this process
  return error_of(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

int lose_protection(undertaking& u) noexcept {
  const int error = reset_oom_score(u.program);
  u.program.reset_oom_score = false; // the program inherits it
  return error;
}

int map_own_ids(undertaking& u) noexcept { return map_ids(u.own.user_map, u.own.group_map); }

/// The caller's keys are found through its session's. Where the call is not to be had here, nobody inside has it.
int renew_keyring(undertaking& u) noexcept {
  if (!u.own.keyring) return 0;
  const int error = error_of(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr);
  return error == ENOSYS || error == EPERM ? 0 : error;
}

int raise_loopback(undertaking& u) noexcept {
  if (!u.own.loopback) return 0;
  const long to = raw(SYS_socket, AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (to < 0) return static_cast<int>(-to);
  ifreq device{};
  device.ifr_name[0] = 'l', device.ifr_name[1] = 'o';
  device.ifr_flags = IFF_UP;
  const int error = error_of(SYS_ioctl, to, SIOCSIFFLAGS, &device);
  raw(SYS_close, to);
  return error;
}

int make_view(undertaking& u) noexcept {
  std::uint32_t at = 0;
  const int error = enter_view(u.own.view, at);
  u.program.part = at;
  if (error) return error;
  // Seen, and not only believed: the root is one of the view's, from which nothing gains rights.
  struct statfs root {};
  if (const int unseen = error_of(SYS_statfs, "/", &root)) return unseen;
  constexpr long dead = ST_NOSUID | ST_NODEV;
  return (root.f_flags & dead) == dead ? 0 : EXDEV;
}

/// The view's own descriptor of what one from outside leads to: with the one from outside the program would stand
/// outside, or run what may not be run inside. ESTALE if something else is there.
int move_inside(int& fd, const char* at) noexcept {
  if (fd < 0) return 0;
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC | O_NOFOLLOW;
  how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  const long inside = raw(SYS_openat2, AT_FDCWD, at, &how, sizeof how);
  if (inside < 0) return static_cast<int>(-inside);
  seen_inode there, wanted;
  if (const int error = look_at(static_cast<int>(inside), there)) return error;
  if (const int error = look_at(fd, wanted)) return error;
  fd = static_cast<int>(inside);
  return there == wanted ? 0 : ESTALE;
}

int find_places(undertaking& u) noexcept {
  if (const int error = move_inside(u.program.cwd, u.directory_at)) return error;
  return move_inside(u.program.program, u.program_at);
}

/// In the view, for it has places that nobody outside can open.
int write_rules(undertaking& u) noexcept {
  if (u.own.ruleset_size == 0) return 0;
  const long ruleset = raw(landlock_calls::create_ruleset, &u.own.ruleset, u.own.ruleset_size, 0);
  if (ruleset < 0) return static_cast<int>(-ruleset);
  u.program.ruleset = static_cast<int>(ruleset);
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC | O_NOFOLLOW;
  how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  for (const own_rule& r : u.own.rules) {
    const long place = raw(SYS_openat2, AT_FDCWD, r.place, &how, sizeof how);
    if (place == -ENOENT) continue; // the mounts show less
    if (place < 0) return static_cast<int>(-place);
    const landlock_calls::path_beneath rule{r.access, static_cast<std::int32_t>(place)};
    const int error = error_of(landlock_calls::add_rule, ruleset, landlock_calls::rule_path_beneath, &rule, 0);
    raw(SYS_close, place);
    if (error) return error;
  }
  return 0;
}

int start_second(undertaking& u) noexcept {
  int no_group = -1;
  const vforked made = vfork_run(u.stack, 0, no_group, run_errand, &u.program);
  if (made.error) return made.error;
  if (u.program.error) return u.program.error;
  if (u.program.reached != step::exec) return ECANCELED;
  return made.pid == 2 ? 0 : ENOTSUP; // the number that the program of the first process knows it by
}

/// Descriptors 3 and 4 as the program of the first process expects them, and no other.
int arrange_descriptors(int& program, int line, int status) noexcept {
  constexpr int least = 5;
  for (int* fd : {&program, &line, &status})
    if (*fd >= 0)
      if (const int error = move_up(*fd, least)) return error;
  if (const int error = error_of(SYS_dup3, line, 3, 0)) return error;
  if (const int error = status < 0 ? 0 : error_of(SYS_dup3, status, 4, 0)) return error;
  if (status < 0) raw(SYS_close, 4);
  for (const int fd : {0, 1, 2}) raw(SYS_close, fd);
  return mark_from(least);
}

int become_first(undertaking& u) noexcept {
  int program = u.own.reaper;
  if (const int error = arrange_descriptors(program, u.own.lifeline, u.program.what.status)) return error;
  if (const int error = renounce_privileges(u.program)) return error;
  if (const int error = drop_capabilities(u.program)) return error;
  static const char* const none[]{nullptr};
  static const char* const name[]{"cordon", nullptr};
  return error_of(SYS_execveat, program, "", name, none, AT_EMPTY_PATH);
}

int end_session(undertaking& u) noexcept {
  u.program.terminal = -1; // which is the program's to take
  const int error = leave_terminal(u.program);
  u.program.terminal = u.program.what.terminal;
  return error;
}

constexpr stage<undertaking> stages[]{
    {step::cgroup, join_groups},
    {step::parent, watch_parent},
    {step::session, end_session},       // while the machine's /dev/tty can be opened
    {step::oom_score, lose_protection}, // in the machine's /proc
    {step::ids, map_own_ids},           // what follows takes capabilities, which ids that are mapped have
    {step::keyring, renew_keyring},
    {step::loopback, raise_loopback},
    {step::view, make_view}, // Landlock refuses mounts
    {step::places, find_places},
    {step::rules, write_rules},
    {step::second, start_second},
    {step::first, become_first},
};

} // namespace

int map_ids(const char* user, const char* group) noexcept {
  // Whoever has no power outside may map a group only once nobody can leave one any more (user_namespaces(7)).
  if (const int error = put("/proc/self/setgroups", "deny")) return error;
  if (const int error = put("/proc/self/uid_map", user)) return error;
  return put("/proc/self/gid_map", group);
}

void run_first(void* data) noexcept {
  auto& u = *static_cast<undertaking*>(data);
  go_through(u.program, u, stages);
  leave();
}

} // namespace cordon::linux_shim
