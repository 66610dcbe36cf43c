// SPDX-License-Identifier: BSL-1.0
/// What a filter shall do: a plain value that a policy is translated to. As it is made it asks for the baseline,
/// without network and with nothing lifted.
#pragma once

#include "../../policy/abilities.hpp"
#include "arch.hpp"
#include "number_set.hpp"

#include <cstdint>

namespace cordon::seccomp {

struct filter_spec {
  arch cpu = arch::x86_64;
  bool strict = false;      ///< a list of permissions instead of refusals; numbers that it does not know do not exist
  std::uint16_t lifted = 0; ///< bits of `abilities`: their calls pass; `spawn` is the next member's
  bool spawn = true;        ///< new processes; without it fork fails, threads and exec go on

  bool network = false; ///< plain internet sockets; the members below matter only where it is set
  bool connect = false; ///< to any address: MSG_FASTOPEN passes, which no port rule of Landlock sees
  bool udp = true;      ///< datagram sockets, which no port rule below Landlock's ABI 10 sees
  bool listen = true;   ///< on any port: listen(2) on an unbound socket takes one that no port rule sees, and so does
                        ///< bind(2) of a datagram socket
  bool unix_sockets = false; ///< named unix sockets too: something else keeps the host's out of reach

  bool pid_namespace = false; ///< no process outside has a number: any pid may be named in limits and priorities
  bool ipc_namespace = false; ///< System V objects and message queues are private
  bool set_id = true;         ///< files may be made to run as their owner, for whoever starts them; without it openat2
                              ///< does not exist
  number_set denied{};        ///< explicit denials: these calls are not permitted, whatever else is said

  [[nodiscard]] constexpr bool lifts(ability a) const { return abilities::from_bits(lifted).has(a); }
  friend constexpr bool operator==(const filter_spec&, const filter_spec&) = default;
};

} // namespace cordon::seccomp
