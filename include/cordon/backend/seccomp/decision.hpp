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
  mode_1,
  mode_2,
  new_mode_2,
  new_mode_3,
};
inline constexpr std::size_t plain_decisions = 4, decision_count = 18;

/// The ability that lifts calls of that kind, or none. Some are decided by other things too: `clone` by spawn.
[[nodiscard]] constexpr abilities lifting(kind k) {
  switch (k) {
  case kind::trace: return ability::trace;
  case kind::mount: return ability::mount;
  case kind::namespaces:
  case kind::unshare: return ability::namespaces;
  case kind::keyring: return ability::keyring;
  case kind::bpf: return ability::bpf;
  case kind::perf: return ability::perf;
  case kind::modules: return ability::modules;
  case kind::clock: return ability::clock;
  case kind::reboot: return ability::reboot;
  default: return {};
  }
}

namespace detail {

[[nodiscard]] constexpr bool lifted(const demand& d, kind k) {
  if (const abilities by = lifting(k); !by.empty()) return by <= abilities::from_bits(d.lifted);
  switch (k) {
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
  case kind::mode_1:
  case kind::mode_2:
  case kind::new_mode_2:
  case kind::new_mode_3:
  case kind::open_how: return d.set_id;
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
  case kind::mode_1: return decision::mode_1;
  case kind::mode_2: return decision::mode_2;
  case kind::new_mode_2: return decision::new_mode_2;
  case kind::new_mode_3: return decision::new_mode_3;
  case kind::open_how: return decision::absent;
  default: return decision::refuse;
  }
}

} // namespace cordon::seccomp
