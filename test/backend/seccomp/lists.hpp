// SPDX-License-Identifier: BSL-1.0
/// Two lists of the size that sandboxes use, to measure size and time. libseccomp 2.5.4 knows all names.
#pragma once

#include <array>
#include <string_view>

namespace lists {

// clang-format off
/// The calls that the baseline refuses by number alone.
inline constexpr std::array<std::string_view, 37> denied{
    "accept", "accept4", "add_key", "bind", "bpf", "chroot", "connect", "delete_module", "fanotify_init",
    "finit_module", "init_module", "io_uring_enter", "io_uring_register", "io_uring_setup", "kcmp", "kexec_file_load",
    "kexec_load", "keyctl", "listen", "mount", "move_mount", "name_to_handle_at", "open_by_handle_at",
    "perf_event_open", "pidfd_getfd", "pivot_root", "process_vm_readv", "process_vm_writev", "ptrace", "reboot",
    "request_key", "setns", "socket", "swapoff", "swapon", "umount2", "userfaultfd"};

/// The calls that ordinary tools make on x86_64.
inline constexpr std::array<std::string_view, 250> allowed{
    "access", "alarm", "arch_prctl", "brk", "cachestat", "capget", "capset", "chdir", "chmod", "chown",
    "clock_getres", "clock_gettime", "clock_nanosleep", "clone", "close", "close_range", "copy_file_range", "creat",
    "dup", "dup2", "dup3", "epoll_create", "epoll_create1", "epoll_ctl", "epoll_pwait", "epoll_pwait2", "epoll_wait",
    "eventfd", "eventfd2", "execve", "execveat", "exit", "exit_group", "faccessat", "faccessat2", "fadvise64",
    "fallocate", "fchdir", "fchmod", "fchmodat", "fchmodat2", "fchown", "fchownat", "fcntl", "fdatasync", "fgetxattr",
    "flistxattr", "flock", "fork", "fremovexattr", "fsetxattr", "fstat", "fstatfs", "fsync", "ftruncate", "futex",
    "futex_requeue", "futex_wait", "futex_waitv", "futex_wake", "futimesat", "get_robust_list", "getcpu", "getcwd",
    "getdents", "getdents64", "getegid", "geteuid", "getgid", "getgroups", "getitimer", "getpeername", "getpgid",
    "getpgrp", "getpid", "getppid", "getpriority", "getrandom", "getresgid", "getresuid", "getrlimit", "getrusage",
    "getsid", "getsockname", "getsockopt", "gettid", "gettimeofday", "getuid", "getxattr", "inotify_add_watch",
    "inotify_init", "inotify_init1", "inotify_rm_watch", "ioctl", "ioprio_get", "kill", "landlock_add_rule",
    "landlock_create_ruleset", "landlock_restrict_self", "lchown", "lgetxattr", "link", "linkat", "listxattr",
    "llistxattr", "lremovexattr", "lseek", "lsetxattr", "lstat", "madvise", "map_shadow_stack", "membarrier",
    "memfd_create", "mincore", "mkdir", "mkdirat", "mknod", "mknodat", "mlock", "mlock2", "mlockall", "mmap",
    "mprotect", "mremap", "msync", "munlock", "munlockall", "munmap", "nanosleep", "newfstatat", "open", "openat",
    "openat2", "pause", "personality", "pidfd_open", "pidfd_send_signal", "pipe", "pipe2", "pkey_alloc", "pkey_free",
    "pkey_mprotect", "poll", "ppoll", "prctl", "pread64", "preadv", "preadv2", "prlimit64", "pselect6", "pwrite64",
    "pwritev", "pwritev2", "read", "readahead", "readlink", "readlinkat", "readv", "recvfrom", "recvmmsg", "recvmsg",
    "removexattr", "rename", "renameat", "renameat2", "restart_syscall", "rmdir", "rseq", "rt_sigaction",
    "rt_sigpending", "rt_sigprocmask", "rt_sigqueueinfo", "rt_sigreturn", "rt_sigsuspend", "rt_sigtimedwait",
    "rt_tgsigqueueinfo", "sched_get_priority_max", "sched_get_priority_min", "sched_getaffinity", "sched_getattr",
    "sched_getparam", "sched_getscheduler", "sched_rr_get_interval", "sched_setaffinity", "sched_yield", "seccomp",
    "select", "sendfile", "sendmmsg", "sendmsg", "sendto", "set_robust_list", "set_tid_address", "setfsgid",
    "setfsuid", "setgid", "setgroups", "setitimer", "setpgid", "setpriority", "setregid", "setresgid", "setresuid",
    "setreuid", "setrlimit", "setsid", "setsockopt", "setuid", "setxattr", "shutdown", "sigaltstack", "signalfd",
    "signalfd4", "socketpair", "splice", "stat", "statfs", "statx", "symlink", "symlinkat", "sync", "sync_file_range",
    "syncfs", "sysinfo", "tee", "tgkill", "time", "timer_create", "timer_delete", "timer_getoverrun", "timer_gettime",
    "timer_settime", "timerfd_create", "timerfd_gettime", "timerfd_settime", "times", "tkill", "truncate", "umask",
    "uname", "unlink", "unlinkat", "utime", "utimensat", "utimes", "vfork", "wait4", "waitid", "write", "writev"};
// clang-format on

} // namespace lists
