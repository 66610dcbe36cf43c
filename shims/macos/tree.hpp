// SPDX-License-Identifier: BSL-1.0
/// Finds the processes of one run, as far as possible: macOS has no group that holds them.
#pragma once

#include "launch.hpp"

namespace cordon::macos_shim {

/// The system's lists of processes (launch.hpp); a test replaces them.
struct process_lists {
  int (*children)(int pid, int* to, int room) noexcept = children_of;
  int (*everybody)(int* to, int room) noexcept = all_processes;
};

/// Kills the program, the members of its session, and all descendants of these. The program leads its session. It must
/// not be reaped yet, so that its number is not reused.
void kill_tree(int program, const process_lists& all);

} // namespace cordon::macos_shim
