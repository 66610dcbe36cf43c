// SPDX-License-Identifier: BSL-1.0
/// The child's side of a launch: the list of steps, and what it and its parent have in common.
#pragma once

#include <cordon/run/launch.hpp>

namespace cordon::linux_shim {

/// Lives on the parent's stack, read and written by the child while the parent stands still.
struct errand {
  const command& what;
  const confinement& how;
  int parent = 0; ///< process id
  // The child's numbers for descriptors that it uses itself; it moves those that stand where others must come.
  int ruleset = how.ruleset;
  int program = what.program;
  int cwd = what.cwd;
  int cgroup = what.cgroup;
  // Volatile: written by what the compiler takes for another function's business, read after a system call.
  volatile step reached = step::none;
  volatile int error = 0;
};

/// Goes through all steps; ends in exec, or in exit with `reached` and `error` set. `data`: the errand.
void run_errand(void* data) noexcept;

/// Makes room: descriptors of our own leave 0, 1, 2 and the numbers that are to be kept. 0 or errno.
int step_aside(errand&) noexcept;
/// Puts the given descriptors on 0, 1 and 2, in whatever order they overlap. 0 or errno.
int arrange_stdio(const errand&) noexcept;
/// Marks everything above 2 close-on-exec but what is kept. 0 or errno.
int mark_descriptors(const errand&) noexcept;

} // namespace cordon::linux_shim
