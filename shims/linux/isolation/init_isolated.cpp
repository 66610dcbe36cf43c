// SPDX-License-Identifier: BSL-1.0
#include "init_isolated.hpp"

#include "../child/raw_syscall.hpp"

#include <csignal>
#include <fcntl.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>

namespace cordon::linux_shim {
namespace {

int join_groups(init_setup& u) noexcept {
  const int error = join_cgroup(u.program);
  u.program.cgroup = -1;
  u.program.groups = {}; // the program inherits them
  return error;
}

/// No check whether the parent has died: the parent is outside, so its process id is 0 here. The lifeline reports its
/// end.
int watch_parent(init_setup& u) noexcept {
  if (u.program.parent == 0) return 0;
  u.program.parent = 0; // the program dies with this process
  return error_of(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

int lose_protection(init_setup& u) noexcept {
  const int error = reset_oom_score(u.program);
  u.program.reset_oom_score = false; // the program inherits it
  return error;
}

int map_own_ids(init_setup& u) noexcept { return map_ids(u.own.user_map, u.own.group_map); }

int raise_loopback(init_setup& u) noexcept {
  if (!u.own.loopback) return 0;
  const long to = raw_syscall(SYS_socket, AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (to < 0) return static_cast<int>(-to);
  ifreq device{};
  device.ifr_name[0] = 'l';
  device.ifr_name[1] = 'o';
  device.ifr_flags = IFF_UP;
  const int error = error_of(SYS_ioctl, to, SIOCSIFFLAGS, &device);
  raw_syscall(SYS_close, to);
  // Any port of a network of the run's own is its to bind. If this fails, the report has the gap network.low_ports.
  (void)put("/proc/sys/net/ipv4/ip_unprivileged_port_start", "0");
  return error;
}

/// Checks the root after the mounts.
int make_view(init_setup& u) noexcept {
  std::uint32_t at = 0;
  const int error = enter_view(u.own.view, at);
  u.program.part = at;
  return error ? error : check_root(u);
}

/// A new user namespace starts with a full bounding set, which any program started in it could use.
int lose_bounding_set(init_setup&) noexcept { return empty_bounding_set(); }

/// A process that leads a group could not start the session of the new terminal.
int end_session(init_setup& u) noexcept { return u.program.terminal >= 0 ? 0 : leave_terminal(u.program); }

constexpr stage<init_setup> stages[]{
    {launch_stage::cgroup, join_groups},
    {launch_stage::parent, watch_parent},
    {launch_stage::session, end_session},       // needs the host's /dev/tty
    {launch_stage::oom_score, lose_protection}, // needs the host's /proc
    {launch_stage::ids, map_own_ids},           // mapped ids have the capabilities that the next stages need
    {launch_stage::keyring, renew_keyring},
    {launch_stage::loopback, raise_loopback},
    {launch_stage::view, make_view}, // before Landlock, which refuses mounts
    {launch_stage::session, take_terminal},
    {launch_stage::places, find_places},
    {launch_stage::rules, write_rules},
    {launch_stage::capabilities, lose_bounding_set},
    {launch_stage::fork, start_program},
    {launch_stage::init, become_init},
};

} // namespace

int map_ids(const char* user, const char* group) noexcept {
  // A process without capabilities outside may map a group only after it has denied setgroups(2) (user_namespaces(7)).
  if (const int error = put("/proc/self/setgroups", "deny")) return error;
  if (const int error = put("/proc/self/uid_map", user)) return error;
  return put("/proc/self/gid_map", group);
}

void run_first(void* data) noexcept {
  auto& u = *static_cast<init_setup*>(data);
  go_through(u.program, u, stages);
  leave();
}

} // namespace cordon::linux_shim
