// SPDX-License-Identifier: BSL-1.0
/// System calls and their classes. A class says under which filter_spec a call is refused; the words at each member hold where
/// nothing lifts it. The modes are baseline, a list of refusals, and strict, a list of permissions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon::seccomp {

enum class call_class : std::uint8_t {
  unreviewed, ///< nobody has looked at it: passes in baseline, does not exist in strict
  ordinary,   ///< always passes
  rare,       ///< obsolete, or more kernel than use: passes in baseline, does not exist in strict
  forbidden,  ///< refused, and no ability lifts it
  trace,      ///< reads or steers another process
  mount,      ///< changes or lists the tree of mounts, or the root
  namespaces, ///< enters a namespace
  unshare,    ///< refused where its flags make a namespace
  keyring,
  bpf,
  perf,
  modules,
  clock,
  reboot,      ///< stops or replaces the kernel
  fork,        ///< starts a process
  clone,       ///< refused where its flags make a namespace, or a process where none may be
  clone3,      ///< does not exist: its flags lie in memory that no filter sees, and every libc falls back to clone
  process,     ///< acts on the process named by its first argument: itself alone
  priority,    ///< setpriority(which, who): itself or its group alone
  io_priority, ///< ioprio_set(which, who): itself or its group alone
  ipc,         ///< System V objects and message queues: names that every process shares
  ioctl,       ///< refused where the request types into a terminal or changes the flags of a file
  socket,      ///< refused, or the plain internet sockets alone
  socketpair,  ///< unnamed unix streams and sequential packets alone
  peer,        ///< connect, accept
  listen, ///< listen, which binds a port of its own choice where the socket has none, and bind: a datagram socket that
          ///< is bound waits for whatever comes, and no rule below Landlock's ABI 10 tells its ports apart
  send_flags_2, ///< its third argument may ask to connect
  send_flags_3, ///< its fourth argument may ask to connect
  mode_1,       ///< its second argument is a file's mode, which may hold the set-user-ID bit
  mode_2,       ///< its third argument is
  new_mode_2,   ///< its third argument is, where the flags before it make a file
  new_mode_3,   ///< its fourth argument is, where the flags before it make a file
  open_how,     ///< does not exist: its mode lies in memory that no filter sees, and callers fall back to openat
};
inline constexpr std::size_t call_class_count = 33;

/// A call and its number on each machine, in the order of `arch`; -1 where the machine lacks it.
struct call {
  std::string_view name;
  call_class what;
  std::array<std::int16_t, 3> numbers;
};

} // namespace cordon::seccomp
