// SPDX-License-Identifier: BSL-1.0
/// System calls and their classes. A class determines which filter_spec refuses a call. The comments of the members
/// describe the class if nothing lifts it. The mode is baseline, a list of refusals, or strict, a list of permissions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon::seccomp {

/// What a call does, as far as a filter decides about it.
enum class call_class : std::uint8_t {
  unreviewed, ///< not reviewed: passes in baseline, ENOSYS in strict
  ordinary,   ///< always passes
  rare,       ///< obsolete, or exposes more of the kernel than its use justifies: passes in baseline, ENOSYS in strict
  forbidden,  ///< refused; no ability lifts it
  trace,      ///< reads or controls another process
  mount,      ///< changes or lists the mount tree, or changes the root
  namespaces, ///< enters a namespace
  unshare,    ///< refused if its flags create a namespace
  keyring,
  bpf,
  perf,
  modules,
  clock,
  reboot,      ///< stops or replaces the kernel
  fork,        ///< starts a process
  clone,       ///< refused if its flags create a namespace, or a process without the ability spawn
  clone3,      ///< ENOSYS: its flags are in memory that a filter cannot read, and every libc falls back to clone
  process,     ///< acts on the process of its first argument: only on the caller
  priority,    ///< setpriority(which, who): only on the caller or its group
  io_priority, ///< ioprio_set(which, who): only on the caller or its group
  ipc,         ///< System V objects and message queues: names shared by all processes
  ioctl,       ///< refused if the request types into a terminal or changes the flags of a file
  socket,      ///< refused, or plain internet sockets and what the filter_spec adds
  socketpair,  ///< unnamed unix streams and sequential packets only
  peer,        ///< connect, accept
  listen, ///< listen, which binds an unbound socket to any free port, and bind: a bound datagram socket receives from
          ///< any sender, and below ABI 10 no Landlock rule restricts its ports
  send_flags_2, ///< its third argument may request to connect
  send_flags_3, ///< its fourth argument may request to connect
  mode_1,       ///< its second argument is a file mode, which may have the set-user-ID bit
  mode_2,       ///< its third argument is the mode
  new_mode_2,   ///< its third argument is the mode, if the flags before it create a file
  new_mode_3,   ///< its fourth argument is the mode, if the flags before it create a file
  open_how,     ///< ENOSYS: its mode is in memory that a filter cannot read, and callers fall back to openat
};

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 33> call_class_names{
    "unreviewed", "ordinary", "rare",       "forbidden",  "trace",    "mount",        "namespaces",
    "unshare",    "keyring",  "bpf",        "perf",       "modules",  "clock",        "reboot",
    "fork",       "clone",    "clone3",     "process",    "priority", "io_priority",  "ipc",
    "ioctl",      "socket",   "socketpair", "peer",       "listen",   "send_flags_2", "send_flags_3",
    "mode_1",     "mode_2",   "new_mode_2", "new_mode_3", "open_how"};
/// Returns: the name of the enumerator.
[[nodiscard]] constexpr std::string_view name(call_class k) { return call_class_names[static_cast<std::size_t>(k)]; }
inline constexpr std::size_t call_class_count = 33; ///< the number of classes

/// A call and its number on each architecture, in the order of `arch`; -1 if the architecture lacks it.
struct call {
  std::string_view name;               ///< as in the table of the kernel
  call_class what;                     ///< its class
  std::array<std::int16_t, 3> numbers; ///< by processor, in the order of `arch`
};

} // namespace cordon::seccomp
