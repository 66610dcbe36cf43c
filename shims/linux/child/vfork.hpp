// SPDX-License-Identifier: BSL-1.0
/// A child that runs in this process's memory, on a separate stack, while the calling thread is suspended.
#pragma once

#include <cstdint>

namespace cordon::linux_shim {

struct vforked {
  int pid = -1;
  int pidfd = -1;
  int error = 0;       ///< errno of the failed clone, or 0
  bool clone3 = false; ///< clone3(2) made the child and reset the caught signals
};

class spare_stack;

/// Runs `entry(data)` in the child and returns once the child has left this memory by exec or exit. `entry` must not
/// return. The child starts with all signals blocked, none caught, and no standard signal ignored. `flags`: CLONE_NEW*
/// to add. `cgroup`: directory of the child's control group, or -1. If clone3(2) creates the child in the group (Linux
/// 5.7), `cgroup` is -1 for the child. Otherwise the child must join the group, which costs milliseconds.
vforked vfork_run(std::uint64_t flags, int& cgroup, void (*entry)(void*) noexcept, void* data) noexcept;
/// The same on the caller's stack.
vforked vfork_run(const spare_stack& stack, std::uint64_t flags, int& cgroup, void (*entry)(void*) noexcept,
                  void* data) noexcept;

/// Kills the child if it still lives, reaps it and closes the descriptor. Returns: si_status of waitid(2) (exit code or
/// signal number); -1 if other code has reaped the child.
int bring_down(vforked& child) noexcept;

} // namespace cordon::linux_shim
