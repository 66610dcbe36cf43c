// SPDX-License-Identifier: BSL-1.0
/// bind(2) and listen(2) on the machine's network, where the policy lists ports. A filter sees neither the address, which
/// lies in memory, nor what a socket is bound to: it asks, and cordon makes the call itself.
#pragma once

#include <cordon/policy/heap.hpp>

#include <linux/seccomp.h>

#include <cstdint>
#include <optional>

namespace cordon::linux_shim {

/// Neither the address nor the socket can be exchanged after the look at it: the address is read once, and the socket is a
/// copy of the program's descriptor (pidfd_getfd(2), Linux 5.6), on which the call is made. Where the copy cannot be had,
/// the call is refused.
class served_ports {
public:
  /// The policy outlives this object.
  explicit served_ports(const loaded_policy& p);

  /// Does the policy list ports of the machine's network?
  [[nodiscard]] bool any() const { return any_; }
  /// Makes the call that a filter asks about: 0 or its errno; nothing where it is another call. It never waits.
  [[nodiscard]] std::optional<int> respond(int listener, const seccomp_notif& asked) const;

private:
  [[nodiscard]] int bind(int listener, const seccomp_notif& asked) const;
  [[nodiscard]] int listen(int listener, const seccomp_notif& asked) const;

  const loaded_policy& policy_;
  bool any_;
};

} // namespace cordon::linux_shim
