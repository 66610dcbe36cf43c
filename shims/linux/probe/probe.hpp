// SPDX-License-Identifier: BSL-1.0
/// What this kernel really does: each mechanism is believed only after it has refused something to a throw-away child.
/// Versions, configuration files and return values that merely look right count for nothing.
#pragma once

#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>

namespace cordon::linux_shim {

/// One mechanism; true if it was seen at work. Otherwise what was seen, and what an administrator can do.
struct feature {
  bool present = false;
  int error = 0; ///< errno of the call that told; 0 if no call failed
  std::string reason{};
  std::string_view remedy{};
  bool untried = false; ///< for want of a resource: whether the mechanism works is not known
  [[nodiscard]] explicit operator bool() const { return present; }
};

/// The host as the compilers, the runner and `doctor` see it.
struct host {
  int landlock_abi = 0; ///< as the kernel says; 0: none
  std::uint32_t landlock_errata = 0;
  feature landlock_enforces;
  feature seccomp_enforces;
  feature namespaces; ///< with a view inside: some systems give the namespace and then no power in it
  feature bubblewrap; ///< the same as bwrap makes it
  feature pidfd;
  feature cgroup;                    ///< a group (v2) that can be made and killed as a whole
  bool clone3_clear_sighand = false; ///< else launches cost some 10 us more
  bool io_uring = false;             ///< present, which is why every filter refuses it
  bool legacy_tiocsti = false;       ///< input can be pushed into a terminal
  std::string release;
  std::string cgroup_directory; ///< where groups can be made; empty if nowhere
};

enum class namespace_step : std::uint8_t { none, clone, map, mount };

/// What the system calls and files said, without interpretation.
struct answers {
  int landlock_abi = 0; ///< the ABI, or -errno
  std::uint32_t landlock_errata = 0;
  int landlock_error = 0;         ///< errno of entering a ruleset that denies everything
  int landlock_refusal = 0;       ///< errno of opening a directory under it; -1: no directory opened before either
  int seccomp_error = 0;          ///< errno of installing a filter
  int seccomp_refusal = 0;        ///< errno of a call that the filter answers with `seccomp_asked`
  namespace_step namespaces_at{}; ///< what failed first
  int namespaces_error = 0;
  std::uint32_t namespaces_part = 0; ///< of the view, if that failed
  std::string namespaces_told;       ///< the same in words
  bool own_program = true;           ///< there is one that the first process can become
  int namespaces_refusal = ENOENT;   ///< errno of opening /usr in a view that does not show it
  int bwrap_refusal = ENOENT;        ///< errno of looking for /usr in a view of bwrap's that does not show it
  std::string bwrap_told;            ///< why bwrap made no view
  int userns_clone = -1;             ///< kernel.unprivileged_userns_clone; -1 here and below: no such file
  int apparmor_userns = -1;          ///< kernel.apparmor_restrict_unprivileged_userns
  int max_namespaces = -1;           ///< user.max_user_namespaces
  bool no_room = false;              ///< ENOSPC of clone(2) was for want of a resource: no sysctl forbids namespaces
  int bwrap_error = 0;               ///< what kept bwrap from being tried
  int pidfd_error = 0;               ///< errno of clone with CLONE_PIDFD, then waitid on the descriptor
  bool clone3 = false;               ///< with CLONE_CLEAR_SIGHAND
  int io_uring_error = 0;            ///< errno of io_uring_setup(0, NULL)
  int legacy_tiocsti = -1;           ///< dev.tty.legacy_tiocsti
  int cgroup_error = 0;              ///< errno of making a group; ENOENT also where there is no version 2
  bool cgroup_kill = false;          ///< the group that was made has cgroup.kill
  std::string release;
  std::string cgroup_directory;
};

inline constexpr int seccomp_asked = 4093; ///< an errno that no kernel gives by itself

/// How much is asked, each with what stands before it: Landlock and seccomp; namespaces; everything.
enum class observed : std::uint8_t { filters, mechanisms, everything };

/// Asks; a few milliseconds for everything. Leaves no process, descriptor or file behind. What was not asked is as if it
/// had not been there.
[[nodiscard]] answers observe(observed much = observed::everything);
/// What the answers mean. Pure.
[[nodiscard]] host describe(const answers&);
[[nodiscard]] inline host probe(observed much = observed::everything) { return describe(observe(much)); }

/// The caller's directory in the version 2 hierarchy, or in that of a controller of version 1, from the texts of
/// /proc/self/cgroup and /proc/self/mountinfo; empty if it has none or it cannot be seen from here.
[[nodiscard]] std::string cgroup_directory(std::string_view cgroup, std::string_view mountinfo,
                                           std::string_view controller = {});

} // namespace cordon::linux_shim
