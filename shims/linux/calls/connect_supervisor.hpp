// SPDX-License-Identifier: BSL-1.0
/// connect(2) of programs that may use sockets of the run's own. A filter sees neither the name of a unix socket, which
/// is in memory, nor whose socket it is. The kernel therefore notifies cordon, and cordon makes the call itself.
#pragma once

#include "../probe/socket_table.hpp"
#include "connect_workers.hpp"

#include <cordon/policy/heap.hpp>

#include <linux/seccomp.h>

#include <memory>
#include <optional>

namespace cordon::linux_shim {

/// The program can exchange neither the address nor the socket after the check: cordon reads the address once, looks the
/// name up beneath the program's root, connects a copy of the program's descriptor, and connects it to the very file
/// that it checked. A connection that may have to wait is made by a thread of its own. The listener sees the program's
/// user and group, but the pid of cordon.
class connect_supervisor {
public:
  /// `of_run`: the sockets of the run's network namespace. The policy must outlive this object. Throws:
  /// std::system_error.
  connect_supervisor(socket_table of_run, int listener, const loaded_policy& policy);
  /// Does not wait for a connection that a worker still makes; the kernel ends the wait when its listener goes.
  ~connect_supervisor();

  /// Makes the call of a notification. Returns: 0 or its errno; nothing if a worker responds. Does not block.
  [[nodiscard]] std::optional<int> respond(const seccomp_notif& asked);

private:
  [[nodiscard]] bool is_granted(const descriptor& name) const;

  socket_table of_run_, of_machine_;
  int listener_;
  const loaded_policy& policy_;
  /// Of the program, if this process is root. All processes of the run have the same: their namespace maps no other.
  std::optional<user_and_group> owner_;
  descriptor root_; ///< of the run's view
  std::shared_ptr<connect_workers> workers_;
};

} // namespace cordon::linux_shim
