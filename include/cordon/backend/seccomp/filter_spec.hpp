// SPDX-License-Identifier: BSL-1.0
/// The specification of a filter: a plain value, translated from a policy. The default is the baseline, without network
/// and without lifted calls.
#pragma once

#include "../../policy/abilities.hpp"
#include "arch.hpp"
#include "number_set.hpp"

#include <cstdint>

namespace cordon::seccomp {

/// What a filter must do: from the policy and the namespaces around it.
struct filter_spec {
  arch cpu = arch::x86_64;  ///< the processor that the filter is for
  bool strict = false;      ///< a list of permissions instead of refusals; unlisted numbers fail with ENOSYS
  std::uint16_t lifted = 0; ///< bits of `abilities`: their calls pass; for `spawn`, the next member decides
  bool spawn = true;        ///< new processes; without it fork fails, but threads and exec pass

  bool network = false; ///< plain internet sockets; without it the next six members have no effect
  bool connect = false; ///< to any address: MSG_FASTOPEN passes, which no Landlock port rule restricts
  bool udp = true;      ///< datagram sockets, which no Landlock port rule restricts below ABI 10
  bool listen = true;   ///< on any port: no Landlock port rule restricts listen(2) on an unbound socket, or bind(2) of
                        ///< a datagram socket
  bool unix_sockets = false; ///< named unix sockets too: another mechanism must hide the host's
  bool unix_streams =
      false;        ///< of these, streams and sequential packets alone: another mechanism must judge connect(2)
  bool own = false; ///< the network is the run's own: netlink sockets of its addresses and routes too

  bool pid_namespace = false; ///< processes outside have no pid: limits and priorities of any pid may be set
  bool ipc_namespace = false; ///< System V objects and message queues are private
  bool set_id = true;         ///< files may be made to run as their owner when other users execute them; without it
                              ///< openat2 fails with ENOSYS
  number_set denied{};        ///< explicit denials: these calls are refused, whatever the other members allow

  /// Can the program make a unix socket that connects to a name?
  [[nodiscard]] constexpr bool connects_to_names() const { return network && (unix_sockets || unix_streams); }
  /// Does the policy have this ability, so that its calls pass?
  [[nodiscard]] constexpr bool lifts(ability a) const { return abilities::from_bits(lifted).has(a); }
  friend constexpr bool operator==(const filter_spec&, const filter_spec&) = default; ///< Compares every member.
};

} // namespace cordon::seccomp
