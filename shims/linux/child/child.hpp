// SPDX-License-Identifier: BSL-1.0
/// The child's side of a launch: the list of steps, and what it and its parent have in common.
#pragma once

#include <cordon/linux/launch.hpp>

#include <cstdint>

namespace cordon::linux_shim {

/// Lives on the parent's stack, read and written by the child while the parent stands still.
struct errand {
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
  volatile step reached = step::none;
  volatile int error = 0;
  volatile std::uint32_t part = 0;
};

/// Goes through all steps; ends in exec, or in exit with `reached` and `error` set. `data`: the errand.
void run_errand(void* data) noexcept;

/// One step, and what does it. 0 or errno.
template <class Errand> struct stage {
  step at;
  int (*act)(Errand&) noexcept;
};

/// Goes through the steps until one fails; the first errno, or 0.
template <class Errand, std::size_t N>
int go_through(errand& e, Errand& on, const stage<Errand> (&stages)[N]) noexcept {
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
int join_cgroup(errand&) noexcept;
int leave_terminal(errand&) noexcept;
int renounce_privileges(errand&) noexcept;
int drop_capabilities(errand&) noexcept;
/// The same, but these stay permitted until the next exec. EPERM where they are not.
int drop_capabilities_but(errand&, std::uint32_t kept) noexcept;
/// What can be gained by exec. EPERM without CAP_SETPCAP (capabilities(7)).
int empty_bounding_set() noexcept;
int reset_oom_score(errand&) noexcept;

/// Writes a text to a file that is there. 0 or errno.
int put(const char* file, const char* text) noexcept;

/// Makes room: descriptors of our own leave 0, 1, 2 and the numbers that are to be kept. 0 or errno.
int step_aside(errand&) noexcept;
/// Puts the given descriptors on 0, 1 and 2, in whatever order they overlap. 0 or errno.
int arrange_stdio(const errand&) noexcept;
/// Replaces `fd` by a duplicate whose number is at least `least`. 0 or errno.
int move_up(int& fd, int least) noexcept;
/// Marks every descriptor from `least` on close-on-exec. 0 or errno.
int mark_from(int least) noexcept;
/// Marks everything above 2 close-on-exec but what is kept. 0 or errno.
int mark_descriptors(const errand&) noexcept;

} // namespace cordon::linux_shim
