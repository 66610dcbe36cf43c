// SPDX-License-Identifier: BSL-1.0
/// From a filter_spec to the decision about a number: an action, or checks of the arguments.
#pragma once

#include "call.hpp"
#include "filter_spec.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon::seccomp {

/// What the filter does with a call.
enum class disposition : std::uint8_t {
  allow,
  refuse, ///< EPERM
  absent, ///< ENOSYS, so that the program tries an alternative
  kill,
  // the following check arguments
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

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 18> disposition_names{
    "allow",         "refuse",          "absent",          "kill",         "clone_flags",  "unshare_flags",
    "ioctl_request", "socket_kind",     "socketpair_kind", "send_flags_2", "send_flags_3", "own_process",
    "own_priority",  "own_io_priority", "mode_1",          "mode_2",       "new_mode_2",   "new_mode_3"};
/// Returns: the name of the enumerator.
[[nodiscard]] constexpr std::string_view name(disposition d) { return disposition_names[static_cast<std::size_t>(d)]; }
inline constexpr std::size_t plain_dispositions = 4; ///< the first ones, which check no argument
inline constexpr std::size_t disposition_count = 18; ///< all of them

/// Returns the ability that lifts calls of that class, or none. Other members decide some classes too: `clone` depends
/// on spawn.
[[nodiscard]] constexpr abilities lifting(call_class k) {
  switch (k) {
  case call_class::trace: return ability::trace;
  case call_class::mount: return ability::mount;
  case call_class::namespaces:
  case call_class::unshare: return ability::namespaces;
  case call_class::keyring: return ability::keyring;
  case call_class::bpf: return ability::bpf;
  case call_class::perf: return ability::perf;
  case call_class::modules: return ability::modules;
  case call_class::clock: return ability::clock;
  case call_class::reboot: return ability::reboot;
  default: return {};
  }
}

namespace detail {

[[nodiscard]] constexpr bool lifted(const filter_spec& d, call_class k) {
  if (const abilities by = lifting(k); !by.empty()) return by <= abilities::from_bits(d.lifted);
  switch (k) {
  case call_class::fork: return d.spawn;
  case call_class::clone: return d.spawn && d.lifts(ability::namespaces);
  case call_class::process:
  case call_class::priority:
  case call_class::io_priority: return d.pid_namespace;
  case call_class::ipc: return d.ipc_namespace;
  case call_class::peer: return d.network;
  case call_class::listen: return d.network && d.listen;
  case call_class::send_flags_2:
  case call_class::send_flags_3: return d.network && d.connect;
  case call_class::mode_1:
  case call_class::mode_2:
  case call_class::new_mode_2:
  case call_class::new_mode_3:
  case call_class::open_how: return d.set_id;
  default: return false;
  }
}

} // namespace detail

/// What the filter does with the calls of a class.
[[nodiscard]] constexpr disposition disposition_of(const filter_spec& d, call_class k) {
  switch (k) {
  case call_class::ordinary: return disposition::allow;
  case call_class::rare:
  case call_class::unreviewed: return d.strict ? disposition::absent : disposition::allow;
  case call_class::clone3: return disposition::absent;
  case call_class::ioctl: return disposition::ioctl_request;
  case call_class::socket: return d.network ? disposition::socket_kind : disposition::refuse;
  case call_class::socketpair: return disposition::socketpair_kind;
  default: break;
  }
  if (detail::lifted(d, k)) return disposition::allow;
  switch (k) {
  case call_class::clone: return disposition::clone_flags;
  case call_class::unshare: return disposition::unshare_flags;
  case call_class::process: return disposition::own_process;
  case call_class::priority: return disposition::own_priority;
  case call_class::io_priority: return disposition::own_io_priority;
  case call_class::send_flags_2: return disposition::send_flags_2;
  case call_class::send_flags_3: return disposition::send_flags_3;
  case call_class::mode_1: return disposition::mode_1;
  case call_class::mode_2: return disposition::mode_2;
  case call_class::new_mode_2: return disposition::new_mode_2;
  case call_class::new_mode_3: return disposition::new_mode_3;
  case call_class::open_how: return disposition::absent;
  default: return disposition::refuse;
  }
}

} // namespace cordon::seccomp
