// SPDX-License-Identifier: BSL-1.0
/// The child's side of a launch: the launch stages, and the state that the child shares with its parent.
#pragma once

#include <cordon/linux/launch.hpp>

#include <cstdint>

namespace cordon::linux_shim {

/// Lives on the parent's stack. The child reads and writes it while the parent is suspended.
struct child_setup {
  const command& what;
  const confinement& how;
  int parent = 0; ///< process id of the parent to watch; 0: none
  // The numbers of descriptors that the child itself uses. The child moves those whose numbers other descriptors must
  // get.
  int ruleset = how.ruleset;
  int program = what.program;
  int cwd = what.cwd;
  int cgroup = what.cgroup;
  int terminal = what.terminal;
  int watcher = what.watcher;
  bool in_session = false;                   ///< the init process leads the session of the terminal
  std::span<const int> groups = what.groups; ///< not joined yet
  bool reset_oom_score = how.reset_oom_score;
  // Volatile: the child writes these, and the parent reads them after a system call. The compiler sees no such write.
  volatile launch_stage reached = launch_stage::none;
  volatile int error = 0;
  volatile std::uint32_t part = 0;
};

/// Runs all stages. Ends in exec, or in exit with `reached` and `error` set. `data`: the setup.
void run_child_setup(void* data) noexcept;

/// A launch stage and its function. The function returns 0 or errno.
template <class Setup> struct stage {
  launch_stage at;
  int (*act)(Setup&) noexcept;
};

/// Runs the stages until one fails. Returns: the first errno, or 0.
template <class Setup, std::size_t N>
int go_through(child_setup& e, Setup& on, const stage<Setup> (&stages)[N]) noexcept {
  for (const auto& next : stages) {
    e.reached = next.at;
    if (const int error = next.act(on)) {
      e.error = error;
      return error;
    }
  }
  return 0;
}

/// Ends a child that cannot continue: a child must not return.
[[noreturn]] void leave() noexcept;

/// Stages that both the direct child and the init process run.
int join_cgroup(child_setup&) noexcept;
int leave_terminal(child_setup&) noexcept;
/// Starts a session with the terminal. Returns: 0 or errno.
int start_session(int terminal) noexcept;
/// Sends a descriptor over a socket. Returns: 0 or errno.
int send_descriptor(int to, int fd) noexcept;
int renounce_privileges(child_setup&) noexcept;
int drop_capabilities(child_setup&) noexcept;
/// The same, but `kept` stay permitted until the next exec. Returns: EPERM if they are not permitted.
int drop_capabilities_but(child_setup&, std::uint32_t kept) noexcept;
/// Empties the bounding set, so that exec can give no capability. Returns: EPERM without CAP_SETPCAP (capabilities(7)).
int empty_bounding_set() noexcept;
int reset_oom_score(child_setup&) noexcept;

/// Writes a text to an existing file. Returns: 0 or errno.
int put(const char* file, const char* text) noexcept;

/// Moves cordon's own descriptors away from 0, 1, 2 and the numbers to keep. Returns: 0 or errno.
int step_aside(child_setup&) noexcept;
/// Duplicates the given descriptors to 0, 1 and 2, even if their numbers overlap. Returns: 0 or errno.
int arrange_stdio(const child_setup&) noexcept;
/// Replaces `fd` by a duplicate with a number of at least `least`. Returns: 0 or errno.
int move_up(int& fd, int least) noexcept;
/// Sets close-on-exec on every descriptor from `least` on. Returns: 0 or errno.
int mark_from(int least) noexcept;
/// Sets close-on-exec on every descriptor above 2, except those to keep. Returns: 0 or errno.
int mark_descriptors(const child_setup&) noexcept;

} // namespace cordon::linux_shim
