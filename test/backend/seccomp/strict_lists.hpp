// SPDX-License-Identifier: BSL-1.0
/// The calls that strict must allow, by name. Written without kinds, so that an error in the table is found.
#pragma once

#include <string_view>

namespace lists {

// clang-format off
/// The calls of tools_work.py and tools_more.py on Debian 12, recorded by strace.
inline constexpr std::string_view observed[]{
    "access", "alarm", "arch_prctl", "brk", "capget", "chdir", "chmod", "chown", "clock_getres", "clock_gettime",
    "clock_nanosleep", "clone", "close", "close_range", "copy_file_range", "creat", "dup", "dup2", "dup3",
    "epoll_create", "epoll_create1", "epoll_ctl", "epoll_pwait", "epoll_wait", "eventfd2", "execve", "execveat",
    "faccessat2", "fadvise64", "fallocate", "fchdir", "fchmod", "fchmodat", "fchown", "fchownat", "fcntl",
    "fdatasync", "fgetxattr", "flistxattr", "flock", "fsetxattr", "fstat", "fstatfs", "fsync", "ftruncate", "futex",
    "getcwd", "getdents64", "getegid", "geteuid", "getgid", "getgroups", "getpeername", "getpgid", "getpgrp",
    "getpid", "getppid", "getpriority", "getrandom", "getresuid", "getrlimit", "getrusage", "getsid", "getsockname",
    "getsockopt", "gettid", "getuid", "getxattr", "inotify_add_watch", "inotify_init1", "inotify_rm_watch", "ioctl",
    "ioprio_set", "kill", "lchown", "lgetxattr", "link", "linkat", "listxattr", "lseek", "lstat", "madvise",
    "memfd_create", "mkdir", "mkdirat", "mknodat", "mlock", "mmap", "mprotect", "mremap", "msync", "munmap",
    "nanosleep", "newfstatat", "open", "openat", "pause", "personality", "pidfd_open", "pipe2", "pkey_alloc",
    "poll", "ppoll", "prctl", "pread64", "preadv2", "prlimit64", "pselect6", "pwrite64", "pwritev2", "read",
    "readlink", "readlinkat", "recvfrom", "recvmsg", "removexattr", "rename", "renameat", "renameat2",
    "restart_syscall", "rmdir", "rseq", "rt_sigaction", "rt_sigpending", "rt_sigprocmask", "rt_sigreturn",
    "rt_sigsuspend", "rt_sigtimedwait", "sched_get_priority_max", "sched_get_priority_min", "sched_getaffinity",
    "sched_getscheduler", "sched_setaffinity", "sched_setscheduler", "sched_yield", "sendfile", "sendmsg", "sendto",
    "set_robust_list", "set_tid_address", "setgid", "setitimer", "setpgid", "setpriority", "setresgid", "setresuid",
    "setsid", "setsockopt", "setxattr", "shutdown", "sigaltstack", "signalfd4", "splice", "stat", "statfs", "statx",
    "symlink", "symlinkat", "sync", "sysinfo", "tgkill", "timer_create", "timer_delete", "timer_settime",
    "timerfd_create", "timerfd_settime", "times", "truncate", "umask", "uname", "unlink", "unlinkat", "utimensat",
    "vfork", "wait4", "waitid", "write", "writev"};
/// The calls that tools make instead with another C library or kernel: one of each family is above.
inline constexpr std::string_view siblings[]{
    "arch_prctl", "capset", "eventfd", "exit", "exit_group", "faccessat", "fchmodat2", "file_getattr", "fremovexattr",
    "futex_requeue", "futex_wait", "futex_waitv", "futex_wake", "getcpu", "getdents", "getitimer", "getresgid",
    "gettimeofday", "getxattrat", "inotify_init", "ioprio_get", "landlock_add_rule", "landlock_create_ruleset",
    "landlock_restrict_self", "listxattrat", "llistxattr", "lremovexattr", "lsetxattr", "map_shadow_stack",
    "membarrier", "mincore", "mknod", "mlock2", "mlockall", "mseal", "munlock", "munlockall", "openat2",
    "pidfd_send_signal", "pipe", "pkey_free", "pkey_mprotect", "preadv", "pwritev", "readahead", "readv", "recvmmsg",
    "removexattrat", "riscv_flush_icache", "riscv_hwprobe", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "sched_getattr",
    "sched_getparam", "sched_rr_get_interval", "sched_setattr", "sched_setparam", "seccomp", "select", "sendmmsg",
    "setgroups", "setregid", "setreuid", "setrlimit", "setuid", "setxattrat", "signalfd", "sync_file_range", "syncfs",
    "tee", "time", "timer_getoverrun", "timer_gettime", "timerfd_gettime", "tkill", "uretprobe", "utime", "utimes",
    "unshare"};
// clang-format on

} // namespace lists
