// SPDX-License-Identifier: BSL-1.0
/// The child's side of a launch: the list of steps, and what it and its parent have in common.
#pragma once

#include <cordon/linux/launch.hpp>

#include <cstdint>

namespace cordon::linux_shim {

/// Lives on the parent's stack, read and written by the child while the parent stands still.
struct child_setup {
  const command& what;
  const confinement& how;
  int parent = 0; ///< process id; 0: nobody is watched
  // The child's numbers for descriptors that it uses itself; it moves those that stand where others must come.
  int ruleset = how.ruleset;
  int program = what.program;
  int cwd = what.cwd;
  int cgroup = what.cgroup;
  int terminal = what.terminal;
  int watcher = what.watcher;
  std::span<const int> groups = what.groups; ///< still to be joined
  bool reset_oom_score = how.reset_oom_score;
  // Volatile: written by what the compiler takes for another function's business, read after a system call.
  volatile launch_stage reached = launch_stage::none;
  volatile int error = 0;
  volatile std::uint32_t part = 0;
};

/// Goes through all steps; ends in exec, or in exit with `reached` and `error` set. `data`: the setup.
void run_child_setup(void* data) noexcept;

/// One step, and what does it. 0 or errno.
template <class Setup> struct stage {
  launch_stage at;
  int (*act)(Setup&) noexcept;
};

/// Goes through the steps until one fails; the first errno, or 0.
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

/// For a child that cannot go on: it must not return.
[[noreturn]] void leave() noexcept;

/// Steps that both the direct child and the first process of namespaces do.
int join_cgroup(child_setup&) noexcept;
int leave_terminal(child_setup&) noexcept;
int renounce_privileges(child_setup&) noexcept;
int drop_capabilities(child_setup&) noexcept;
/// The same, but these stay permitted until the next exec. EPERM where they are not.
int drop_capabilities_but(child_setup&, std::uint32_t kept) noexcept;
/// What can be gained by exec. EPERM without CAP_SETPCAP (capabilities(7)).
int empty_bounding_set() noexcept;
int reset_oom_score(child_setup&) noexcept;

/// Writes a text to a file that is there. 0 or errno.
int put(const char* file, const char* text) noexcept;

/// Makes room: descriptors of our own leave 0, 1, 2 and the numbers that are to be kept. 0 or errno.
int step_aside(child_setup&) noexcept;
/// Puts the given descriptors on 0, 1 and 2, in whatever order they overlap. 0 or errno.
int arrange_stdio(const child_setup&) noexcept;
/// Replaces `fd` by a duplicate whose number is at least `least`. 0 or errno.
int move_up(int& fd, int least) noexcept;
/// Marks every descriptor from `least` on close-on-exec. 0 or errno.
int mark_from(int least) noexcept;
/// Marks everything above 2 close-on-exec but what is kept. 0 or errno.
int mark_descriptors(const child_setup&) noexcept;

} // namespace cordon::linux_shim
