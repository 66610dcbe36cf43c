// SPDX-License-Identifier: BSL-1.0
#include "probe.hpp"

#include "../child/momentary.hpp"
#include "../files/memory_file.hpp"

#include <cerrno>
#include <utility>

namespace cordon::linux_shim {
namespace {

/// `what` could not be tried because a resource was missing.
feature untried(int error, std::string what) { return {false, error, std::move(what), try_again, true}; }

feature landlock(const answers& a) {
  constexpr std::string_view filtered =
      "allow landlock_create_ruleset, landlock_add_rule and landlock_restrict_self in "
      "the filter that this process runs under";
  if (a.landlock_abi <= 0) {
    switch (-a.landlock_abi) {
    case EOPNOTSUPP:
      return {false, EOPNOTSUPP, "Landlock is not in the boot-time lsm= list",
              "add landlock to the lsm= list on the kernel command line and reboot"};
    case ENOSYS:
      return {
          false, ENOSYS, "Landlock is not compiled in, or hidden by a filter above this process",
          "use a kernel of 5.13 or later with CONFIG_SECURITY_LANDLOCK, or allow its calls in the container's filter"};
    default: return {false, -a.landlock_abi, "a filter above this process refuses Landlock's calls", filtered};
    }
  }
  if (is_momentary(a.landlock_error)) return untried(a.landlock_error, "Landlock could not be tried");
  if (a.landlock_error == E2BIG)
    return {false, E2BIG, "this process is already under 16 Landlock rulesets, the kernel's limit",
            "start it outside of one of them"};
  if (a.landlock_error) return {false, a.landlock_error, "a ruleset cannot be entered", filtered};
  if (a.landlock_refusal < 0)
    return {false, 0, "this process can open no directory, so that no refusal can be observed",
            "let it read /, /usr or its current directory"};
  if (a.landlock_refusal != EACCES)
    return {false, a.landlock_refusal, "a ruleset that denies everything did not refuse anything",
            "this kernel's Landlock does not enforce its rules; use another kernel"};
  return {true};
}

feature seccomp(const answers& a) {
  if (is_momentary(a.seccomp_error)) return untried(a.seccomp_error, "seccomp could not be tried");
  if (a.seccomp_error)
    return {false, a.seccomp_error,
            a.seccomp_error == ENOSYS || a.seccomp_error == EINVAL ? "seccomp filters are not compiled in"
                                                                   : "a filter above this process refuses seccomp",
            "use a kernel with CONFIG_SECCOMP_FILTER, and allow seccomp and prctl in the container's filter"};
  if (a.seccomp_refusal != seccomp_asked)
    return {false, a.seccomp_refusal,
            "a filter was accepted, but a call that it refuses did not fail as the filter says",
            "this kernel or emulator does not enforce seccomp filters; use another"};
  return {true};
}

feature no_program() { return {false, 0, std::string(no_own_program::fact), no_own_program::remedy}; }

feature namespaces(const answers& a) {
  const int error = a.namespaces_error;
  if (is_momentary(error)) return untried(error, "namespaces could not be tried");
  if (!error && !a.own_program) return no_program();
  if (!error && a.namespaces_refusal == ENOENT) return {true};
  if (!error)
    return {false, a.namespaces_refusal, "an empty view showed a file",
            "this kernel's mount namespaces do not hide files; use another kernel"};
  if (a.max_namespaces == 0)
    return {false, error, "user.max_user_namespaces is 0", "sysctl -w user.max_user_namespaces=10000"};
  if (a.userns_clone == 0)
    return {false, error, "kernel.unprivileged_userns_clone is 0", "sysctl -w kernel.unprivileged_userns_clone=1"};
  if (a.apparmor_userns == 1)
    return {false, error, "kernel.apparmor_restrict_unprivileged_userns is 1",
            "give the program an AppArmor profile that allows userns, or sysctl -w "
            "kernel.apparmor_restrict_unprivileged_userns=0"};
  if (a.namespaces_at == namespace_step::clone && (error == EINVAL || error == ENOSYS))
    return {false, error, "user namespaces are not compiled in", "use a kernel with CONFIG_USER_NS"};
  if (a.namespaces_at == namespace_step::clone && error == ENOSPC && a.no_room)
    return untried(error, "the limit of namespaces is reached");
  if (a.namespaces_at == namespace_step::clone && (error == ENOSPC || error == EUSERS))
    return {false, error, "there are too many user namespaces, or more than 32 nested ones",
            "raise user.max_user_namespaces, or start this process in fewer of them"};
  if (a.namespaces_at == namespace_step::clone)
    return {false, error, "a filter or a security module refuses user namespaces",
            "allow clone with CLONE_NEWUSER in the container's filter"};
  if (a.namespaces_at == namespace_step::mount && error == ENOSYS)
    return {false, error, "views of mounts cannot be made: this kernel lacks mount_setattr, or a filter hides it",
            "use a kernel of 5.12 or later, or allow the mount calls in the container's filter"};
  // The kernel refuses a new /proc that would show what a container's mounts hide (mount_too_revealing,
  // fs/namespace.c).
  if (a.namespaces_message.starts_with("mount a new proc"))
    return {false, error, "a new /proc cannot be mounted: parts of the present one are covered, as in containers",
            "start the container with all of /proc (docker: --security-opt systempaths=unconfined; Kubernetes: "
            "procMount: Unmasked)"};
  const std::string what = a.namespaces_message.empty() ? "" : " (" + a.namespaces_message + ")";
  return {false, error, "a user namespace can be created, but mount is denied in it" + what,
          "a security module, a filter, or Landlock around this process denies it; start cordon outside of it"};
}

feature bubblewrap(const answers& a) {
  if (is_momentary(a.bwrap_error)) return untried(a.bwrap_error, "bwrap could not be tried");
  if (!a.own_program) return no_program();
  if (!a.bwrap_message.empty())
    return {false, 0, a.bwrap_message, "install bubblewrap, and let it make user namespaces or give it set-id bits"};
  if (a.bwrap_refusal != ENOENT)
    return {false, a.bwrap_refusal, "an empty view made by bwrap showed a file", "use another bwrap"};
  return {true};
}

feature cgroup(const answers& a) {
  if (a.cgroup_directory.empty() && (a.cgroup_error == 0 || a.cgroup_error == ENOENT))
    return {false, a.cgroup_error, "no control group of version 2 is mounted",
            "boot with systemd.unified_cgroup_hierarchy=1, or mount cgroup2"};
  if (a.cgroup_error)
    return {false, a.cgroup_error, "no control group can be made below this process's own",
            "start it with systemd-run --user --scope -p Delegate=yes"};
  if (!a.cgroup_kill) return {false, 0, "control groups cannot be killed as a whole", "use a kernel of 5.14 or later"};
  return {true};
}

} // namespace

host describe(const answers& a) {
  host h;
  h.landlock_abi = a.landlock_abi > 0 ? a.landlock_abi : 0;
  h.landlock_errata = a.landlock_errata;
  h.landlock_enforces = landlock(a);
  h.seccomp_enforces = seccomp(a);
  h.namespaces = namespaces(a);
  h.bubblewrap = bubblewrap(a);
  h.pidfd = a.pidfd_error ? feature{false, a.pidfd_error, "a process cannot be waited for by descriptor",
                                    "use a kernel of 5.4 or later, and allow pidfd_open in the container's filter"}
                          : feature{true};
  h.cgroup = cgroup(a);
  h.clone3_clear_sighand = a.clone3;
  h.io_uring = a.io_uring_error != ENOSYS && a.io_uring_error != EPERM;
  h.legacy_tiocsti = a.legacy_tiocsti != 0; // before Linux 6.2 there is no switch to turn it off
  h.release = a.release;
  if (h.cgroup) h.cgroup_directory = a.cgroup_directory;
  return h;
}

} // namespace cordon::linux_shim
