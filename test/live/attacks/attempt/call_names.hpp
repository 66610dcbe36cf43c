// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sys/syscall.h>

#include <cstring>

namespace attempt {

/// The number of a system call that the act `call` may be asked for, or -1. Numbers above 424 are one and the same on
/// every architecture (Linux 5.1 and later), so headers that are older than the call do no harm.
inline long number_of_call(const char* name) {
  struct entry {
    const char* name;
    long number;
  };
  constexpr entry table[] = {
    {"accept", SYS_accept},
    {"accept4", SYS_accept4},
    {"acct", SYS_acct},
    {"bind", SYS_bind},
    {"clock_adjtime", SYS_clock_adjtime},
    {"connect", SYS_connect},
    {"delete_module", SYS_delete_module},
    {"finit_module", SYS_finit_module},
    {"fsconfig", 431},
    {"fsmount", 432},
    {"fsopen", 430},
    {"fspick", 433},
    {"init_module", SYS_init_module},
    {"io_uring_enter", 426},
    {"io_uring_register", 427},
    {"kexec_file_load", SYS_kexec_file_load},
    {"kexec_load", SYS_kexec_load},
    {"listen", SYS_listen},
    {"lookup_dcookie", SYS_lookup_dcookie},
    {"mount_setattr", 442},
    {"move_mount", 429},
    {"open_tree", 428},
    {"personality", SYS_personality},
    {"pivot_root", SYS_pivot_root},
    {"quotactl", SYS_quotactl},
    {"quotactl_fd", 443},
    {"reboot", SYS_reboot},
    {"request_key", SYS_request_key},
    {"setdomainname", SYS_setdomainname},
    {"setns", SYS_setns},
    {"swapoff", SYS_swapoff},
    {"swapon", SYS_swapon},
    {"syslog", SYS_syslog},
    {"umount2", SYS_umount2},
    {"vhangup", SYS_vhangup},
#if defined(__x86_64__)
    {"ioperm", SYS_ioperm},
    {"iopl", SYS_iopl},
#endif
  };
  for (const entry& each : table)
    if (std::strcmp(each.name, name) == 0) return each.number;
  return -1;
}

} // namespace attempt
