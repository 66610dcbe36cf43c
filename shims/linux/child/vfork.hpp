// SPDX-License-Identifier: BSL-1.0
/// A child that runs in this process's memory, on a stack of its own, while the calling thread stands still.
#pragma once

#include <cstdint>

namespace cordon::linux_shim {

struct vforked {
  int pid = -1;
  int pidfd = -1;
  int error = 0;       ///< errno of the failed clone, else 0
  bool clone3 = false; ///< clone3(2) made it and reset the caught signals
};

class spare_stack;

/// Runs `entry(data)` in the child and returns once the child has left this memory by exec or exit. `entry` must not
/// return. It begins with all signals blocked, none caught, and no standard one ignored. `flags`: CLONE_NEW* to add.
/// `cgroup`: directory of a control group to be born in, or -1. The child sees it as -1 where clone3(2) has seen to it
/// (Linux 5.7; a later move costs milliseconds), else it has to move itself.
vforked vfork_run(std::uint64_t flags, int& cgroup, void (*entry)(void*) noexcept, void* data) noexcept;
/// The same on a stack of the caller's.
vforked vfork_run(const spare_stack& stack, std::uint64_t flags, int& cgroup, void (*entry)(void*) noexcept,
                  void* data) noexcept;

/// Kills the child if it still lives, reaps it, closes the descriptor, and returns the wait status as waitid(2) has it
/// in si_status (exit code or signal number); -1 if somebody else has reaped it.
int bring_down(vforked& child) noexcept;

} // namespace cordon::linux_shim
