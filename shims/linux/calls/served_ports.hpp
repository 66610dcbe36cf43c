// SPDX-License-Identifier: BSL-1.0
/// bind(2) and listen(2) on the host's network, if the policy lists ports. A filter sees neither the address, which is
/// in memory, nor the port of a socket. The kernel therefore notifies cordon, and cordon makes the call itself.
#pragma once

#include <cordon/policy/heap.hpp>

#include <linux/seccomp.h>

#include <cstdint>
#include <optional>

namespace cordon::linux_shim {

/// The program can exchange neither the address nor the socket after the check. cordon reads the address once, and
/// calls on a copy of the program's descriptor (pidfd_getfd(2), Linux 5.6). If the copy fails, the call is refused.
class served_ports {
public:
  /// The policy must outlive this object.
  explicit served_ports(const loaded_policy& p);

  /// Does the policy list ports of the host's network?
  [[nodiscard]] bool any() const { return any_; }
  /// Makes the call of a notification. Returns: 0 or its errno; nothing for any other call. Does not block.
  [[nodiscard]] std::optional<int> respond(int listener, const seccomp_notif& asked) const;

private:
  [[nodiscard]] int bind(int listener, const seccomp_notif& asked) const;
  [[nodiscard]] int listen(int listener, const seccomp_notif& asked) const;

  const loaded_policy& policy_;
  bool any_;
};

} // namespace cordon::linux_shim
