// SPDX-License-Identifier: BSL-1.0
/// The processes of one run, as far as they can be found: macOS has no group that holds them.
#pragma once

#include "launch.hpp"

namespace cordon::macos_shim {

/// The system's word on processes (launch.hpp); a test has another one.
struct process_lists {
  int (*children)(int pid, int* to, int room) noexcept = children_of;
  int (*everybody)(int* to, int room) noexcept = all_processes;
};

/// Kills the program, its session, and whoever else has it or one of them for a parent. The program leads its session, and
/// is not reaped yet, so that its number is its own.
void kill_tree(int program, const process_lists& all);

} // namespace cordon::macos_shim
