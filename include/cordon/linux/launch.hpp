// SPDX-License-Identifier: BSL-1.0
/// Starting a confined program on Linux: plain memory and integers in, a process descriptor or the failed step out.
/// Whatever is to be opened, compiled or laid out has been before; the child makes raw system calls only. Either every
/// step succeeds or the program never starts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace cordon::linux_shim {

/// What the child does, in this order. A failure names the step it happened in.
enum class launch_stage : std::uint8_t {
  none,
  clone,        ///< creating the process
  cgroup,       ///< joining the control group
  parent,       ///< asking to die with the parent thread
  ids,          ///< of the user namespace: the caller's user and group
  keyring,      ///< a session keyring of its own
  loopback,     ///< of the network namespace: its own
  view,         ///< the mounts of the mount namespace
  places,       ///< the program and the working directory, as the view shows them
  rules,        ///< of the ruleset: for what the view alone has
  second,       ///< creating the program's process beside the first one of the namespaces
  session,      ///< leaving the terminal and the process group, or taking a terminal over
  stdio,        ///< descriptors 0, 1, 2
  hook,         ///< the caller's own code
  descriptors,  ///< closing everything that is not kept
  directory,    ///< the working directory
  limits,       ///< resource limits
  oom_score,    ///< losing what protects the caller from the kernel's out-of-memory killer
  privileges,   ///< no_new_privs
  landlock,     ///< the ruleset
  capabilities, ///< dropping all of them
  signals,      ///< an empty signal mask (the dispositions are at their defaults from the start)
  seccomp,      ///< the filter
  exec,         ///< becoming the program
  first,        ///< the first process of the namespaces becomes what reaps and relays
  bubblewrap,   ///< bwrap makes the namespaces and the view
};

inline constexpr std::array<std::string_view, 26> launch_stage_names{
    "none",        "clone",     "cgroup", "parent",    "ids",        "keyring",  "loopback",
    "view",        "places",    "rules",  "second",    "session",    "stdio",    "hook",
    "descriptors", "directory", "limits", "oom_score", "privileges", "landlock", "capabilities",
    "signals",     "seccomp",   "exec",   "first",     "bubblewrap"};

[[nodiscard]] constexpr std::string_view name(launch_stage s) {
  return launch_stage_names[static_cast<std::size_t>(s)];
}

/// One setrlimit(2): RLIMIT_* number, soft and hard value in that limit's own unit.
struct resource_limit {
  int resource = 0;
  std::uint64_t soft = 0;
  std::uint64_t hard = 0;
};

/// Namespaces of the program's own. See isolation.hpp of the shim.
struct isolation;

/// What the child gives up. Descriptors and the filter belong to the caller, may be used for any number of launches
/// at once, and must outlive each call of `launch`.
struct confinement {
  int ruleset = -1;                 ///< Landlock ruleset descriptor; -1: none
  std::uint32_t landlock_flags = 0; ///< flags of landlock_restrict_self(2); those above 0 need ABI 7
  /// `filter_length` instructions laid out as `struct sock_filter`; null: none. It must allow what ends the launch:
  /// execveat or execve, statx (for scripts and without execveat) and exit_group.
  const void* filter = nullptr;
  std::uint16_t filter_length = 0;
  /// As many, for a launch with a `watcher`: where the filter refuses they ask it. See seccomp/user_notification.hpp. Null: none.
  const void* notifying = nullptr;
  bool no_new_privs = true; ///< without it Landlock and seccomp need CAP_SYS_ADMIN
  bool drop_capabilities = true;
  bool new_session = true;                 ///< no terminal to push input into, a process group of its own
  std::array<resource_limit, 16> limits{}; ///< the first `limit_count` are set; 16 is the kernel's RLIM_NLIMITS
  std::size_t limit_count = 0;
  bool reset_oom_score = false; ///< the caller's oom_score_adj is below 0, which nothing confined should inherit
  /// Namespaces to be made for each launch; null: the machine's. The program is then the second process of its pid
  /// namespace. The first one reaps, relays signals that ask to end, and ends with the program: all others with it.
  const isolation* isolated = nullptr;
};

/// What is started. All pointers and descriptors belong to the caller.
struct command {
  /// An O_PATH descriptor of the program, which makes the file that was checked the file that runs; -1: use `path`.
  int program = -1;
  /// Needed when `program` is -1, and for scripts: their interpreter is told a name, and /dev/fd/N would break `$0`.
  /// With both, a `path` that no longer leads to `program` fails with ESTALE.
  const char* path = nullptr;
  char* const* argv = nullptr;
  char* const* envp = nullptr;
  int cwd = -1; ///< directory descriptor (O_PATH is enough); -1: the parent's, in namespaces the root of the view
  std::array<int, 3> stdio{-1, -1, -1}; ///< what becomes 0, 1 and 2; -1: as it is. Any overlap is sorted out
  /// Of the three, in namespaces: which file the program may open for reading once more, by /dev/stdin and its like.
  /// Landlock needs a rule for it where the file comes through a mount of its own, around which it finds no directory.
  std::array<bool, 3> reopenable{};
  /// A terminal that becomes the controlling one of a session of the program's own; -1: it has none.
  int terminal = -1;
  std::span<const int> keep{};   ///< descriptors above 2 to be inherited under the same number
  int cgroup = -1;               ///< directory of a control group (v2) to be born in; -1: the parent's
  std::span<const int> groups{}; ///< directories of control groups of either version, to be joined
  /// SIGKILL when the calling *thread* ends, which may be long before the process does. prctl(2), PR_SET_PDEATHSIG.
  bool parent_death_signal = false;
  /// In namespaces: what the first process writes the program's wait status to, an int as waitpid(2) has it, when the
  /// program ends. Its own exit code is the program's too, but 128 + N for signal N.
  int status = -1;
  /// A socket that is sent the descriptor at which a watched filter asks (SCM_RIGHTS with one byte); -1: nobody watches.
  /// Nothing comes where the kernel has no such thing, or a filter above is watched already: the plain one is used then.
  int watcher = -1;
  /// Runs in the child before descriptors are closed and before any confinement, in the parent's memory while the
  /// calling thread stands still. Returns 0 or an errno. What it opens is closed again unless `keep` lists it.
  int (*hook)(void*) noexcept = nullptr;
  void* hook_data = nullptr;
};

/// Why nothing was started. ECANCELED: killed before the program began.
struct failure {
  launch_stage at = launch_stage::none;
  int error = 0;                 ///< errno
  std::uint32_t part = 0;        ///< of the view: which of its steps
  std::array<char, 256> words{}; ///< what bwrap said of it, as far as there is room; else empty
};

/// A running program, or the first process of its namespaces (true), or a failure. The caller owns `pidfd` and has to
/// reap the child.
struct [[nodiscard]] launched {
  int pid = -1;
  int pidfd = -1; ///< close-on-exec
  /// Where that process is bwrap, which passes no signal on: the descriptor of the first process, which does. The
  /// caller owns it.
  int init_pidfd = -1;
  failure why{};
  [[nodiscard]] constexpr explicit operator bool() const { return pid > 0; }
};

/// Starts the program and returns when it runs or has failed; after a failure there is neither child nor descriptor
/// left. The cost does not grow with the parent's memory: no page table is copied (clone(2), CLONE_VM|CLONE_VFORK).
/// Safe in several threads at once. Needs Linux 5.4; close_range(2) and clone3(2) are used where they answer.
/// The umask stays the parent's; so does the session keyring but for who may call keyctl in namespaces.
launched launch(const command& what, const confinement& how) noexcept;

/// Kills the program, reaps it and closes its descriptor; not its descendants.
void bring_down(launched& child) noexcept;

/// For an owner who knows one process alone: closes `init_pidfd`. A signal then is bwrap's, and what ends it ends all.
void forget_init(launched& child) noexcept;

} // namespace cordon::linux_shim
