// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "descriptor.hpp"

#include <sys/syscall.h>

#include <algorithm>
#include <csignal>
#include <utility>
#include <vector>

namespace cordon::linux_shim {

/// SIGKILL to the processes whose numbers `list()` gives; they, held. A number may be another process's by the time
/// of the signal: so who is held by a descriptor has to be listed once more.
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
