# SPDX-License-Identifier: BSL-1.0
"""Features of the host that a control needs. A row without its feature is reported as skipped."""
import ctypes
import os

# feature -> (its name for people, the answers of a control that mean that it is missing)
FEATURES = {
    "acct": ("process accounting in the kernel", {"ENOSYS"}),
    "alg": ("AF_ALG sockets", {"EAFNOSUPPORT"}),
    "bluetooth": ("bluetooth sockets", {"EAFNOSUPPORT"}),
    "bpf": ("bpf(2)", {"ENOSYS"}),
    "can": ("CAN sockets", {"EAFNOSUPPORT"}),
    "cgroup": ("a cgroup that root may write", {"ENOENT"}),
    "dcookie": ("lookup_dcookie(2)", {"ENOSYS"}),
    "devmem": ("/dev/mem", {"ENOENT"}),
    "disk": ("a block device", {"ENOENT", "ENXIO"}),
    "fanotify": ("unprivileged fanotify(7)", {"ENOSYS", "EPERM"}),
    "fchmodat2": ("fchmodat2(2)", {"ENOSYS"}),
    "file_flags": ("a file system with file flags", {"ENOTTY", "EOPNOTSUPP"}),
    "handles": ("a file system with handles", {"ENOSYS", "EOPNOTSUPP"}),
    "i386": ("the i386 ABI", {"ENOSYS", "SIGSEGV"}),
    "inet6": ("IPv6", {"EAFNOSUPPORT"}),
    "io_uring": ("io_uring", {"ENOSYS", "EPERM"}),
    "kexec": ("kexec in the kernel", {"ENOSYS"}),
    "key_sockets": ("PF_KEY sockets", {"EAFNOSUPPORT"}),
    "keys": ("kernel keyrings", {"ENOSYS"}),
    "kmsg": ("/dev/kmsg", {"ENOENT", "EPERM"}),
    "loader": ("a dynamic loader at its usual place", {"ENOENT"}),
    "mknod": ("device nodes on the file system of the scratch tree", {"EPERM"}),
    "modules": ("loadable modules", {"ENOSYS", "EPERM"}),
    "mptcp": ("multipath TCP", {"EPROTONOSUPPORT", "ENOPROTOOPT", "EINVAL"}),
    "mqueue": ("POSIX message queues", {"ENOSYS"}),
    "old_calls": ("open(2), chmod(2) and their like beside openat(2)", {"ENOSYS"}),
    "openat2": ("openat2(2)", {"ENOSYS"}),
    "packet": ("packet sockets", {"EAFNOSUPPORT", "EPERM"}),
    "perf": ("unprivileged perf_event_open(2)", {"ENOSYS", "EACCES", "EPERM", "ENOENT"}),
    "ping": ("ping sockets (net.ipv4.ping_group_range)", {"EACCES"}),
    "privilege": ("a capability that root lacks here", {"EPERM"}),
    "qipcrtr": ("QIPCRTR sockets", {"EAFNOSUPPORT"}),
    "quota": ("quotas in the kernel", {"ENOSYS"}),
    "rds": ("RDS sockets", {"EAFNOSUPPORT"}),
    "setcap": ("file capabilities on the file system of the scratch tree", {"other_status", "ENOENT", "EPERM"}),
    "setuid": ("set-uid programs on the file system of the scratch tree", {"other_status", "ENOENT"}),
    "shm": ("/dev/shm", {"ENOENT"}),
    "swap": ("swapping in the kernel", {"ENOSYS"}),
    "sysrq": ("/proc/sysrq-trigger", {"ENOENT"}),
    "sysv": ("System V IPC", {"ENOSYS"}),
    "tiocsti": ("TIOCSTI (dev.tty.legacy_tiocsti)", {"EIO"}),
    "tipc": ("TIPC sockets", {"EAFNOSUPPORT"}),
    "tmpfile": ("a file system with nameless files", {"EOPNOTSUPP"}),
    "uevent": ("/sys/kernel/uevent_helper", {"ENOENT"}),
    "user_namespaces": ("namespaces", {"EPERM", "ENOSPC", "EUSERS", "EINVAL"}),
    "userfaultfd": ("userfaultfd(2)", {"ENOSYS", "EPERM"}),
    "vsock": ("vsock", {"EAFNOSUPPORT"}),
    "x32": ("the x32 ABI", {"ENOSYS"}),
    "x86": ("port permissions (x86)", {"ENOSYS", "EPERM", "broken"}),
    "xattr": ("a file system with user attributes", {"EOPNOTSUPP"}),
    "xdp": ("XDP sockets", {"EAFNOSUPPORT", "EPERM"}),
    "yama": ("ptrace of other processes (kernel.yama.ptrace_scope)", {"EPERM"}),
}

# feature -> (its name, a check before the row is run)
PROBED = {
    "scopes": ("Landlock ABI 6 (signal scope)", lambda: landlock_abi() >= 6),
    "two_cpus": ("a second processor", lambda: len(os.sched_getaffinity(0)) > 1),
}


def landlock_abi():
    """The Landlock ABI of this kernel, 0 if there is none. 444 is landlock_create_ruleset on every architecture."""
    return max(0, ctypes.CDLL(None, use_errno=True).syscall(444, None, 0, 1))


def missing_before(need):
    name, question = PROBED.get(need, ("", lambda: True))
    return "" if question() else name


def missing_after(need, answer):
    """What the answer of a control says to be missing, or nothing."""
    name, answers = FEATURES.get(need, ("", set()))
    return name if answer in answers else ""
