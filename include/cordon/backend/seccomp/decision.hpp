// SPDX-License-Identifier: BSL-1.0
/// From a demand to what is done about a number: an answer, or a look at the arguments.
#pragma once

#include "call.hpp"
#include "demand.hpp"

#include <cstddef>
#include <cstdint>

namespace cordon::seccomp {

enum class decision : std::uint8_t {
  allow,
  refuse, ///< EPERM
  absent, ///< ENOSYS, so that the program tries another way
  kill,
  // what follows looks at arguments
  clone_flags,
  unshare_flags,
  ioctl_request,
  socket_kind,
  socketpair_kind,
  send_flags_2,
  send_flags_3,
  own_process,
  own_priority,
  own_io_priority,
};
inline constexpr std::size_t plain_decisions = 4, decision_count = 14;

namespace detail {

[[nodiscard]] constexpr decision refuse_unless(bool lifted) { return lifted ? decision::allow : decision::refuse; }

/// The kinds that one ability lifts, or none.
[[nodiscard]] constexpr bool lifted(const demand& d, kind k) {
  switch (k) {
  case kind::trace: return d.lifts(ability::trace);
  case kind::mount: return d.lifts(ability::mount);
  case kind::namespaces:
  case kind::unshare: return d.lifts(ability::namespaces);
  case kind::keyring: return d.lifts(ability::keyring);
  case kind::bpf: return d.lifts(ability::bpf);
  case kind::perf: return d.lifts(ability::perf);
  case kind::modules: return d.lifts(ability::modules);
  case kind::clock: return d.lifts(ability::clock);
  case kind::reboot: return d.lifts(ability::reboot);
  case kind::fork: return d.spawn;
  case kind::clone: return d.spawn && d.lifts(ability::namespaces);
  case kind::process:
  case kind::priority:
  case kind::io_priority: return d.pid_namespace;
  case kind::ipc: return d.ipc_namespace;
  case kind::peer: return d.network;
  case kind::listen: return d.network && d.listen;
  case kind::send_flags_2:
  case kind::send_flags_3: return d.network && d.connect;
  default: return false;
  }
}

} // namespace detail

[[nodiscard]] constexpr decision decide(const demand& d, kind k) {
  switch (k) {
  case kind::ordinary: return decision::allow;
  case kind::rare:
  case kind::unreviewed: return d.strict ? decision::absent : decision::allow;
  case kind::clone3: return decision::absent;
  case kind::ioctl: return decision::ioctl_request;
  case kind::socket: return d.network ? decision::socket_kind : decision::refuse;
  case kind::socketpair: return decision::socketpair_kind;
  default: break;
  }
  if (detail::lifted(d, k)) return decision::allow;
  switch (k) {
  case kind::clone: return decision::clone_flags;
  case kind::unshare: return decision::unshare_flags;
  case kind::process: return decision::own_process;
  case kind::priority: return decision::own_priority;
  case kind::io_priority: return decision::own_io_priority;
  case kind::send_flags_2: return decision::send_flags_2;
  case kind::send_flags_3: return decision::send_flags_3;
  default: return decision::refuse;
  }
}

} // namespace cordon::seccomp
