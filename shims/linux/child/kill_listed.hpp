// SPDX-License-Identifier: BSL-1.0
/// Kills the processes of a list by file descriptor, so that no reused process id gets the signal.
#pragma once

#include "descriptor.hpp"

#include <sys/syscall.h>

#include <algorithm>
#include <csignal>
#include <utility>
#include <vector>

namespace cordon::linux_shim {

/// Sends SIGKILL to the processes that `list()` returns. Returns: their ids and pidfds. The kernel may reuse an id
/// before pidfd_open(2); a second list therefore confirms each opened pidfd before the signal.
template <class List> std::vector<std::pair<int, descriptor>> kill_listed(List&& list) {
  std::vector<std::pair<int, descriptor>> held;
  for (const int pid : list()) held.emplace_back(pid, descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))));
  const std::vector<int> still = list();
  std::erase_if(held, [&](const auto& one) {
    return !one.second || std::find(still.begin(), still.end(), one.first) == still.end();
  });
  for (const auto& one : held) ::syscall(SYS_pidfd_send_signal, one.second.get(), SIGKILL, nullptr, 0);
  return held;
}

} // namespace cordon::linux_shim
