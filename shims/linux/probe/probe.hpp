// SPDX-License-Identifier: BSL-1.0
/// Tests the mechanisms of this kernel. A mechanism counts as present only after it has refused an operation to a
/// throw-away child. Versions, configuration files and return values alone prove nothing.
#pragma once

#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>

namespace cordon::linux_shim {

/// The result for one mechanism: true if its effect was observed. Otherwise the reason, and the remedy for an
/// administrator.
struct feature {
  bool present = false;
  int error = 0; ///< errno of the failed call; 0 if no call failed
  std::string reason{};
  std::string_view remedy{};
  bool untried = false; ///< a resource was missing: whether the mechanism works is unknown
  [[nodiscard]] explicit operator bool() const { return present; }
};

/// The host, for the compilers, the runner and `doctor`.
struct host {
  int landlock_abi = 0; ///< as the kernel reports it; 0: none
  std::uint32_t landlock_errata = 0;
  feature landlock_enforces;
  feature seccomp_enforces;
  feature namespaces; ///< including a view: some systems allow the namespace but no mounts in it
  feature bubblewrap; ///< the same by bwrap
  feature pidfd;
  feature cgroup;                    ///< a group (v2) can be made and killed as a whole
  bool clone3_clear_sighand = false; ///< else a launch costs some 10 us more
  bool io_uring = false;             ///< present; every filter refuses it
  bool legacy_tiocsti = false;       ///< a program can push input into a terminal
  std::string release;
  std::string cgroup_directory; ///< the parent of new groups; empty if none is possible
};

enum class namespace_step : std::uint8_t { none, clone, map, mount };

/// The raw results of the system calls and files.
struct answers {
  int landlock_abi = 0; ///< the ABI, or -errno
  std::uint32_t landlock_errata = 0;
  int landlock_error = 0;         ///< errno of entering a ruleset that denies everything
  int landlock_refusal = 0;       ///< errno of opening a directory under it; -1: none could be opened before
  int seccomp_error = 0;          ///< errno of installing a filter
  int seccomp_refusal = 0;        ///< errno of a call that the filter answers with `seccomp_asked`
  namespace_step namespaces_at{}; ///< the first failed step
  int namespaces_error = 0;
  std::uint32_t namespaces_part = 0; ///< the failed step of the view
  std::string namespaces_message;    ///< the same as text
  bool own_program = true;           ///< this host can execute the reaper
  int namespaces_refusal = ENOENT;   ///< errno of opening /usr in a view that does not show it
  int bwrap_refusal = ENOENT;        ///< errno of looking /usr up in bwrap's view that does not show it
  std::string bwrap_message;         ///< why bwrap made no view
  int userns_clone = -1;             ///< kernel.unprivileged_userns_clone; -1 here and below: no such file
  int apparmor_userns = -1;          ///< kernel.apparmor_restrict_unprivileged_userns
  int max_namespaces = -1;           ///< user.max_user_namespaces
  bool no_room = false;              ///< ENOSPC of clone(2) was a lack of a resource: no sysctl forbids namespaces
  int bwrap_error = 0;               ///< why bwrap could not be tried
  int pidfd_error = 0;               ///< errno of clone with CLONE_PIDFD, then waitid on the descriptor
  bool clone3 = false;               ///< clone3(2) with CLONE_CLEAR_SIGHAND works
  int io_uring_error = 0;            ///< errno of io_uring_setup(0, NULL)
  int legacy_tiocsti = -1;           ///< dev.tty.legacy_tiocsti
  int cgroup_error = 0;              ///< errno of making a group; ENOENT also without version 2
  bool cgroup_kill = false;          ///< the new group has cgroup.kill
  std::string release;
  std::string cgroup_directory;
};

inline constexpr int seccomp_asked = 4093; ///< an errno that the kernel never returns

/// How much to test; each value includes those before: Landlock and seccomp; namespaces; everything.
enum class observed : std::uint8_t { filters, mechanisms, everything };

/// Runs the tests; a few milliseconds for `everything`. Leaves no process, descriptor or file behind. A mechanism that
/// is not tested counts as missing.
[[nodiscard]] answers observe(observed much = observed::everything);
/// Interprets the raw results. Pure.
[[nodiscard]] host describe(const answers&);
[[nodiscard]] inline host probe(observed much = observed::everything) { return describe(observe(much)); }

/// Returns: the caller's directory in the version 2 hierarchy, or in that of a version 1 controller. Parses the texts
/// of /proc/self/cgroup and /proc/self/mountinfo. Empty if the caller has none or cannot see it.
[[nodiscard]] std::string cgroup_directory(std::string_view cgroup, std::string_view mountinfo,
                                           std::string_view controller = {});

} // namespace cordon::linux_shim
