// SPDX-License-Identifier: BSL-1.0
/// Starts a confined program on Linux. Takes plain memory and integers; returns a process descriptor or the failed
/// stage. The parent has already opened, compiled and laid out everything; the child makes raw system calls only. If a
/// stage fails, the program never starts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace cordon::linux_shim {

/// The stages of the child, in this order. A failure names its stage.
enum class launch_stage : std::uint8_t {
  none,
  clone,        ///< creating the process
  cgroup,       ///< joining the control group
  parent,       ///< requesting SIGKILL when the parent thread ends
  ids,          ///< user namespace: mapping the caller's user and group
  keyring,      ///< a private session keyring
  loopback,     ///< the loopback interface of the network namespace
  view,         ///< the mounts of the mount namespace
  places,       ///< finding the program and the working directory in the view
  rules,        ///< adding rules to the ruleset for files that only the view has
  fork,         ///< creating the program's process, beside the init process
  session,      ///< leaving the terminal and the process group, or acquiring a terminal
  stdio,        ///< descriptors 0, 1, 2
  hook,         ///< the caller's own code
  descriptors,  ///< closing all descriptors that are not kept
  directory,    ///< the working directory
  limits,       ///< resource limits
  oom_score,    ///< resetting an oom_score_adj that protects the caller from the kernel's out-of-memory killer
  privileges,   ///< no_new_privs
  landlock,     ///< the ruleset
  capabilities, ///< dropping all capabilities
  signals,      ///< an empty signal mask (the dispositions are at their defaults from the start)
  seccomp,      ///< the filter
  exec,         ///< executing the program
  init,         ///< init process: starting to reap and to relay signals
  bubblewrap,   ///< creating namespaces and view through bwrap
};

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 26> launch_stage_names{
    "none",        "clone",     "cgroup", "parent",    "ids",        "keyring",  "loopback",
    "view",        "places",    "rules",  "fork",      "session",    "stdio",    "hook",
    "descriptors", "directory", "limits", "oom_score", "privileges", "landlock", "capabilities",
    "signals",     "seccomp",   "exec",   "init",      "bubblewrap"};

/// Returns: the name of the stage, as in reports.
[[nodiscard]] constexpr std::string_view name(launch_stage s) {
  return launch_stage_names[static_cast<std::size_t>(s)];
}

/// One setrlimit(2): RLIMIT_* number, soft and hard value in the unit of that limit.
struct resource_limit {
  int resource = 0;       ///< RLIMIT_* of setrlimit(2)
  std::uint64_t soft = 0; ///< soft limit
  std::uint64_t hard = 0; ///< hard limit
};

/// The program's private namespaces. See isolation.hpp of the shim.
struct isolation;

/// The confinement of the child. The caller owns the descriptors and the filter, and may use them for several launches
/// at once. They must outlive each call of `launch`.
struct confinement {
  int ruleset = -1;                 ///< Landlock ruleset descriptor; -1: none
  std::uint32_t landlock_flags = 0; ///< flags of landlock_restrict_self(2); those above 0 need ABI 7
  /// `filter_length` instructions laid out as `struct sock_filter`; null: none. The filter must allow the calls that
  /// complete the launch: execveat or execve, statx (for scripts and without execveat) and exit_group.
  const void* filter = nullptr;
  std::uint16_t filter_length = 0; ///< instructions of `filter`
  /// The filter of a launch with a `watcher`, laid out alike: it notifies the watcher instead of refusing. Null: none.
  /// See seccomp/user_notification.hpp.
  const void* notifying = nullptr;
  std::uint16_t notifying_length = 0; ///< instructions of `notifying`
  /// The watcher makes connect(2) for the program. The child then sends a second descriptor: a socket of sock_diag(7),
  /// which lists the unix sockets of the child's network.
  bool supervises_connect = false;
  bool no_new_privs = true;                ///< without it Landlock and seccomp need CAP_SYS_ADMIN
  bool drop_capabilities = true;           ///< drop all capabilities of capabilities(7)
  bool new_session = true;                 ///< no terminal to push input into; a separate process group
  std::array<resource_limit, 16> limits{}; ///< the first `limit_count` are set; 16 is the kernel's RLIM_NLIMITS
  std::size_t limit_count = 0;             ///< entries of `limits` that are set
  bool reset_oom_score = false; ///< the caller's oom_score_adj is below 0, which a confined program should not inherit
  /// Namespaces to create for each launch; null: the caller's. The program is then the second process of its pid
  /// namespace. The init process reaps, relays signals that request an end, and exits with the program; the kernel then
  /// kills the rest.
  const isolation* isolated = nullptr;
};

/// The program to start. All pointers and descriptors belong to the caller.
struct command {
  /// An O_PATH descriptor of the program, so that the checked file is the one that runs; -1: use `path`.
  int program = -1;
  /// Needed if `program` is -1, and for scripts: the interpreter gets this name, since /dev/fd/N would break `$0`. If
  /// both are set, and `path` no longer leads to `program`, the launch fails with ESTALE.
  const char* path = nullptr;
  char* const* argv = nullptr; ///< argv of execve(2)
  char* const* envp = nullptr; ///< environment of execve(2)
  int cwd = -1; ///< directory descriptor (O_PATH suffices); -1: the parent's, in namespaces the root of the view
  std::array<int, 3> stdio{-1, -1, -1}; ///< become descriptors 0, 1 and 2; -1: unchanged. They may overlap
  /// In namespaces: may the program open stdin, stdout or stderr again for reading, through /dev/stdin and the like? If
  /// the file is reached through a private mount, Landlock finds no directory above it, and needs a rule for the file
  /// itself.
  std::array<bool, 3> reopenable{};
  /// Becomes the controlling terminal of a new session; -1: none. The program leads the session. In namespaces the init
  /// process leads it, so that the program can be stopped by ^Z.
  int terminal = -1;
  /// In namespaces: the init process makes a terminal in the view, with the modes and size of `terminal`, whose number
  /// it gets. It sends the other end over this socket (SCM_RIGHTS with one byte). -1: it uses `terminal` itself.
  int terminal_maker = -1;
  /// In namespaces: the program starts in the background of `terminal`. SIGTTIN or SIGTTOU then stops it when it reads
  /// from it or sets its modes.
  bool in_background = false;
  std::span<const int> keep{};   ///< descriptors above 2 to inherit under the same number
  int cgroup = -1;               ///< directory of a control group (v2) to create the child in; -1: the parent's
  std::span<const int> groups{}; ///< directories of control groups to join, of either version
  /// Sends SIGKILL when the calling *thread* ends, which may be long before the process does. prctl(2),
  /// PR_SET_PDEATHSIG.
  bool parent_death_signal = false;
  /// In namespaces: the init process writes the program's wait status here when the program ends, as an int in the form
  /// of waitpid(2). The exit code of the init process is the program's, or 128 + N for signal N.
  int status = -1;
  /// In namespaces: `status` also gets a wait status each time that the program is stopped.
  bool reports_stops = false;
  /// The child sends the filter's notification descriptor over this socket (SCM_RIGHTS with one byte); -1: no watcher.
  /// If the kernel lacks notifications, or an outer filter already has a watcher, it sends nothing and uses the plain
  /// filter.
  int watcher = -1;
  /// Runs in the child before descriptors are closed and before any confinement, in the parent's memory while the
  /// calling thread is suspended. Returns: 0 or an errno. A descriptor that it opens is closed unless `keep` lists it.
  int (*hook)(void*) noexcept = nullptr;
  void* hook_data = nullptr; ///< the argument of `hook`
};

/// Why the program was not started. ECANCELED: killed before the program began.
struct failure {
  launch_stage at = launch_stage::none; ///< the stage that failed
  int error = 0;                        ///< errno
  std::uint32_t part = 0;               ///< stage `view`: the step of the view
  std::array<char, 256> words{};        ///< message of bwrap, cut to this size; else empty
};

/// A running program, or the init process of its namespaces (true), or a failure. The caller owns `pidfd` and must reap
/// the child.
struct [[nodiscard]] launched {
  int pid = -1;   ///< the child; -1: the launch failed
  int pidfd = -1; ///< close-on-exec
  /// If `pid` is bwrap, which relays no signals: a descriptor of the init process, which does. The caller owns it.
  int init_pidfd = -1;
  failure why{};                                                             ///< why the launch failed
  [[nodiscard]] constexpr explicit operator bool() const { return pid > 0; } ///< Was the program started?
};

inline namespace abi_0 {

/// Starts the program, and returns when it runs or has failed; after a failure no child and no descriptor remains. The
/// cost does not grow with the parent's memory: no page table is copied (clone(2), CLONE_VM|CLONE_VFORK). Several
/// threads may call it at once. Needs Linux 5.4; uses close_range(2) and clone3(2) if available. The umask is the
/// parent's; so is the session keyring, unless the program may call keyctl in namespaces.
launched launch(const command& what, const confinement& how) noexcept;

/// Kills the program, reaps it and closes its descriptor. Does not kill its descendants.
void bring_down(launched& child) noexcept;

/// Closes `init_pidfd`, for an owner that handles one process only. Signals then go to bwrap; one that ends bwrap ends
/// all.
void forget_init(launched& child) noexcept;

} // namespace abi_0

} // namespace cordon::linux_shim
