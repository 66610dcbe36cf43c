// SPDX-License-Identifier: BSL-1.0
#include "kernel.hpp"

#include "socket_table.hpp"

#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace cordon::linux_shim {

kernel this_kernel() {
  kernel k;
  // landlock_create_ruleset(NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) returns the ABI, or an error without Landlock.
  const long abi = ::syscall(444, nullptr, 0, 1U);
  k.landlock_abi = abi > 0 ? static_cast<int>(abi) : 0;
  // SECCOMP_GET_ACTION_AVAIL of SECCOMP_RET_ERRNO, Linux 4.14: filters can return error numbers.
  const std::uint32_t action = SECCOMP_RET_ERRNO;
  k.seccomp = ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
  const std::uint32_t notification = SECCOMP_RET_USER_NOTIF;
  k.supervises = ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &notification) == 0 &&
                 ::syscall(SYS_pidfd_getfd, -1, -1, 0) != 0 && errno == EBADF &&
                 socket_table::of_this_process().is_supported();
#if defined(__x86_64__)
  k.cpu = cordon::seccomp::arch::x86_64;
#elif defined(__aarch64__)
  k.cpu = cordon::seccomp::arch::aarch64;
#elif defined(__riscv) && __riscv_xlen == 64
  k.cpu = cordon::seccomp::arch::riscv64;
#else
#error "cordon has no system call table for this machine"
#endif
  return k;
}

} // namespace cordon::linux_shim
