// SPDX-License-Identifier: BSL-1.0
/// Sockets in the network of a run, for this process. It cannot enter that network itself: a process with several
/// threads enters no user namespace, and entering it would be for good (setns(2)).
#pragma once

#include "../child/descriptor.hpp"

#include <utility>
#include <vector>

namespace cordon::linux_shim {

/// A child that shares this process's memory and descriptors enters the run's namespaces, makes some sockets and ends.
/// No process of the run can see or signal it: it is outside the run's pid namespace. For one thread.
class network_sockets {
public:
  /// `process`: a descriptor of a process in the network (pidfd_open(2)).
  explicit network_sockets(descriptor process) : process_(std::move(process)) {}

  /// Returns: a TCP socket that does not block, of AF_INET or AF_INET6; none, with errno, if it cannot be made.
  [[nodiscard]] descriptor take(int family);

private:
  descriptor process_;
  std::vector<descriptor> inet_, inet6_; ///< made and not taken
};

} // namespace cordon::linux_shim
