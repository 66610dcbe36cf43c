// SPDX-License-Identifier: BSL-1.0
#include "child.hpp"

#include "raw_syscall.hpp"

#include <csignal>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/securebits.h>
#include <linux/stat.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

// The child must not change anything that it shares with the parent. It sets no user id and no dumpable flag (both are
// in the shared memory descriptor). It takes no lock and does not wait for the parent. Dropping capabilities is safe:
// the kernel resets the dumpable flag only if ids change or capabilities are gained (commit_creds, kernel/cred.c).

namespace cordon::linux_shim {

int join_cgroup(child_setup& e) noexcept {
  const auto join = [](int directory) noexcept {
    const long file = raw_syscall(SYS_openat, directory, "cgroup.procs", O_WRONLY | O_CLOEXEC, 0);
    if (file < 0) return static_cast<int>(-file);
    if (const long written = raw_syscall(SYS_write, file, "0", 1); written < 0) return static_cast<int>(-written);
    return error_of(SYS_close, file);
  };
  if (e.cgroup >= 0)
    if (const int error = join(e.cgroup)) return error;
  for (const int directory : e.groups)
    if (const int error = join(directory)) return error;
  return 0;
}

int put(const char* file, const char* text) noexcept {
  const long fd = raw_syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CLOEXEC, 0);
  if (fd < 0) return static_cast<int>(-fd);
  std::size_t size = 0;
  while (text[size] != '\0') ++size;
  const long written = raw_syscall(SYS_write, fd, text, size);
  raw_syscall(SYS_close, fd);
  return written < 0 ? static_cast<int>(-written) : 0;
}

/// Needs a vfork child: for any other process that shares memory with its parent, the kernel also changes the parent's
/// score (__set_oom_adj, fs/proc/base.c).
int reset_oom_score(child_setup& e) noexcept { return e.reset_oom_score ? put("/proc/self/oom_score_adj", "0") : 0; }

int send_descriptor(int to, int fd) noexcept {
  struct { // the kernel's cmsghdr, with one descriptor
    std::size_t length;
    int level, type, fd;
  } more{CMSG_LEN(sizeof fd), SOL_SOCKET, SCM_RIGHTS, fd};
  char byte = 0;
  iovec text{&byte, 1};
  msghdr message{};
  message.msg_iov = &text;
  message.msg_iovlen = 1;
  message.msg_control = &more;
  message.msg_controllen = sizeof more;
  return error_of(SYS_sendmsg, to, &message, MSG_NOSIGNAL);
}

int start_session(int terminal) noexcept {
  const int error = error_of(SYS_setsid);
  return error ? error : error_of(SYS_ioctl, terminal, TIOCSCTTY, 0);
}

namespace {

/// Starts a process group in the session of the init process. All signals are blocked: SIGTTOU stops no process here.
int start_job(const child_setup& e) noexcept {
  if (const int error = error_of(SYS_setpgid, 0, 0)) return error;
  const int group = static_cast<int>(raw_syscall(SYS_getpid));
  return e.what.in_background ? 0 : error_of(SYS_ioctl, e.terminal, TIOCSPGRP, &group);
}

} // namespace

/// Starts a session with the given terminal. Otherwise starts a process group without a terminal, which only a session
/// leader could get back. It avoids setsid(2) if possible, because each session gets a separate scheduling group
/// (autogroup). That costs 10 us, and on a busy machine a new program waits whole time slices, some 4 ms, behind other
/// groups.
int leave_terminal(child_setup& e) noexcept {
  if (e.in_session) return start_job(e);
  if (e.terminal >= 0) return start_session(e.terminal);
  if (!e.how.new_session) return 0;
  const long tty = raw_syscall(SYS_openat, AT_FDCWD, "/dev/tty", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC, 0);
  const bool has_none = tty == -ENXIO || (tty >= 0 && !error_of(SYS_ioctl, tty, TIOCNOTTY));
  if (tty >= 0) raw_syscall(SYS_close, tty);
  return has_none ? error_of(SYS_setpgid, 0, 0) : error_of(SYS_setsid);
}

int renounce_privileges(child_setup& e) noexcept {
  return e.how.no_new_privs ? error_of(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) : 0;
}

int drop_capabilities(child_setup& e) noexcept { return drop_capabilities_but(e, 0); }

int drop_capabilities_but(child_setup& e, std::uint32_t kept) noexcept {
  if (!e.how.drop_capabilities && !e.how.isolated) return 0;
  // no_new_privs alone keeps exec by uid 0 from regaining capabilities: the kernel limits the new set to the old one
  // (cap_bprm_creds_from_file, security/commoncap.c).
  constexpr int root_is_nobody = (SECURE_ALL_BITS | SECURE_ALL_LOCKS) & ~SECBIT_KEEP_CAPS;
  if (!e.how.no_new_privs)
    if (const int error = error_of(SYS_prctl, PR_SET_SECUREBITS, root_is_nobody, 0, 0, 0)) return error;
  // The same call limits ambient capabilities to the permitted and inheritable ones (cap_capset).
  __user_cap_header_struct self{_LINUX_CAPABILITY_VERSION_3, 0};
  const __user_cap_data_struct left[_LINUX_CAPABILITY_U32S_3]{{0, kept, 0}};
  return error_of(SYS_capset, &self, left);
}

int empty_bounding_set() noexcept {
  for (long which = 0;; ++which)
    if (const int error = error_of(SYS_prctl, PR_CAPBSET_DROP, which, 0, 0, 0))
      return error == EINVAL ? 0 : error; // no such capability, and none above it
}

namespace {

/// The program keeps and gains no capability. If this process may not empty the bounding set, no_new_privs alone
/// prevents a gain. In namespaces, the init process has emptied the set.
int lose_capabilities(child_setup& e) noexcept {
  if (e.how.drop_capabilities && !e.how.isolated)
    if (const int error = empty_bounding_set(); error != 0 && error != EPERM) return error;
  return drop_capabilities(e);
}

int watch_parent(child_setup& e) noexcept {
  if (e.parent == 0) return 0;
  if (const int error = error_of(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)) return error;
  return raw_syscall(SYS_getppid) == e.parent ? 0 : ESRCH; // it may have died before prctl(2)
}

int set_stdio(child_setup& e) noexcept {
  if (const int error = step_aside(e)) return error;
  return arrange_stdio(e);
}

int call_hook(child_setup& e) noexcept { return e.what.hook ? e.what.hook(e.what.hook_data) : 0; }

int sweep_descriptors(child_setup& e) noexcept { return mark_descriptors(e); }

int change_directory(child_setup& e) noexcept { return e.cwd >= 0 ? error_of(SYS_fchdir, e.cwd) : 0; }

int set_limits(child_setup& e) noexcept {
  for (std::size_t i = 0; i < e.how.limit_count; ++i) {
    const auto& limit = e.how.limits[i];
    const std::uint64_t soft_and_hard[2]{limit.soft, limit.hard}; // struct rlimit64
    if (const int error = error_of(SYS_prlimit64, 0, limit.resource, soft_and_hard, nullptr)) return error;
  }
  return 0;
}

int enter_landlock(child_setup& e) noexcept {
  return e.ruleset >= 0 ? error_of(SYS_landlock_restrict_self, e.ruleset, e.how.landlock_flags) : 0;
}

int empty_mask(child_setup&) noexcept {
  const std::uint64_t none = 0;
  return error_of(SYS_rt_sigprocmask, SIG_SETMASK, &none, nullptr, sizeof none);
}

[[nodiscard]] sock_fprog program_of(const void* filter, std::uint16_t length) noexcept {
  return {length, static_cast<sock_filter*>(const_cast<void*>(filter))};
}

/// Returns: -EINVAL if the kernel has no listeners, -EBUSY below another one. With WAIT_KILLABLE_RECV (Linux 5.19),
/// only the caller's end cancels a received notification. Otherwise, repeated signals would make the caller repeat the
/// call for ever.
[[nodiscard]] long enter_watched(const child_setup& e) noexcept {
  constexpr unsigned wait_killable = 1U << 5; // SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
  const sock_fprog program = program_of(e.how.notifying, e.how.notifying_length);
  const auto enter = [&](unsigned more) noexcept {
    return raw_syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER | more, &program);
  };
  const long listener = enter(wait_killable);
  return listener == -EINVAL ? enter(0) : listener;
}

int enter_seccomp(child_setup& e) noexcept {
  if (!e.how.filter) return 0;
  if (e.watcher >= 0 && e.how.notifying) {
    constexpr int sock_diag = 4; // NETLINK_SOCK_DIAG; exec closes both descriptors
    const long diag =
        e.how.supervises_connect ? raw_syscall(SYS_socket, AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, sock_diag) : -1;
    if (const long listener = enter_watched(e); listener >= 0) {
      const int error = send_descriptor(e.watcher, static_cast<int>(listener));
      return error != 0 || diag < 0 ? error : send_descriptor(e.watcher, static_cast<int>(diag));
    }
  }
  const sock_fprog program = program_of(e.how.filter, e.how.filter_length);
  return error_of(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

/// Does the path still lead to the file? Returns: 0, or the errno of the reason. A process that may rename files here
/// can still exchange it after the check. Landlock then decides about the file that the kernel executes.
int compare(int program, const char* path) noexcept {
  struct statx checked, named;
  if (const int error = error_of(SYS_statx, program, "", AT_EMPTY_PATH, STATX_INO, &checked)) return error;
  if (const int error = error_of(SYS_statx, AT_FDCWD, path, 0, STATX_INO, &named)) return error;
  const bool same = checked.stx_ino == named.stx_ino && checked.stx_dev_major == named.stx_dev_major &&
                    checked.stx_dev_minor == named.stx_dev_minor;
  return same ? 0 : ESTALE;
}

int become_program(child_setup& e) noexcept {
  const auto& what = e.what;
  if (e.program >= 0) {
    const int error = error_of(SYS_execveat, e.program, "", what.argv, what.envp, AT_EMPTY_PATH);
    // execveat(2) fails with ENOENT for a script on a close-on-exec descriptor, because its interpreter could not open
    // it (BUGS). It fails with EPERM if the policy's filter denies it.
    if ((error != ENOENT && error != EPERM) || !what.path) return error;
    if (const int different = compare(e.program, what.path)) return different;
  }
  return error_of(SYS_execve, what.path, what.argv, what.envp);
}

constexpr stage<child_setup> stages[]{
    {launch_stage::cgroup, join_cgroup},
    {launch_stage::parent, watch_parent},
    {launch_stage::session, leave_terminal},
    {launch_stage::stdio, set_stdio},
    {launch_stage::hook, call_hook}, // before the sweep, which closes its descriptors, and before any restriction
    {launch_stage::descriptors, sweep_descriptors},
    {launch_stage::directory, change_directory},
    {launch_stage::limits, set_limits}, // before capabilities are dropped: raising a limit takes one
    {launch_stage::oom_score, reset_oom_score},
    {launch_stage::privileges, renounce_privileges},
    {launch_stage::landlock, enter_landlock},
    {launch_stage::capabilities, lose_capabilities},
    {launch_stage::signals, empty_mask},
    {launch_stage::seccomp, enter_seccomp}, // last: the filter would have to allow every later call
    {launch_stage::exec, become_program},
};

} // namespace

void leave() noexcept {
  raw_syscall(SYS_exit_group, 127);
  __builtin_trap(); // if a filter allows neither exec nor exit, the parent must not wait for ever
}

void run_child_setup(void* data) noexcept {
  auto& e = *static_cast<child_setup*>(data);
  go_through(e, e, stages);
  leave();
}

} // namespace cordon::linux_shim
