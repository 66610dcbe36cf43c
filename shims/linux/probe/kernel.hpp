// SPDX-License-Identifier: BSL-1.0
/// The facts about the running kernel that the compilers need.
#pragma once

#include <cordon/backend/seccomp/arch.hpp>

namespace cordon::linux_shim {

struct kernel {
  int landlock_abi = 0; ///< 0: none
  bool seccomp = false; ///< SECCOMP_SET_MODE_FILTER is available
  /// Can a supervisor make connect(2) for a program: are there notifications, pidfd_getfd(2) and a list of unix sockets?
  bool supervises = false;
  cordon::seccomp::arch cpu = cordon::seccomp::arch::x86_64;
};

[[nodiscard]] kernel this_kernel();

} // namespace cordon::linux_shim
