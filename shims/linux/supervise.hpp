// SPDX-License-Identifier: BSL-1.0
/// From the start of a program to the end of its whole tree.
#pragma once

#include "descriptor.hpp"
#include "relay.hpp"
#include "terminal.hpp"

#include <cordon/run/control_group.hpp>
#include <cordon/run/launch.hpp>
#include <cordon/run/outcome.hpp>

#include <array>
#include <csignal>
#include <cstdint>
#include <vector>

namespace cordon::linux_shim {

/// The first towards the program.
using relays = std::array<relay, 4>;

/// Makes this process the one that inherits orphans of its descendants, and takes the signals that ask it to end
/// (SIGHUP, SIGINT, SIGQUIT, SIGTERM) as events, and that its terminal has a new size (SIGWINCH). Construct before the
/// launch, in a single-threaded process: the end of the tree is the end of every child that is new since.
class supervisor {
public:
  /// `own`: the program's terminal, which is to have the size of the person's; null: it has none.
  explicit supervisor(const terminal* own = nullptr);
  ~supervisor();
  supervisor(const supervisor&) = delete;
  supervisor& operator=(const supervisor&) = delete;

  /// Waits for the program, relays, and ends the tree. Waiting is by descriptors alone. `timeout` in nanoseconds and
  /// `output` in bytes; ~0: none. `group`: that the program is in; null: none. `status`: what tells how the program ended, where the child is the first process of its namespaces.
  outcome wait(const launched& child, std::uint64_t timeout, std::uint64_t output, relays all,
               const control_group* group = nullptr, descriptor status = {});

private:
  void drain(relays& all, outcome& result, std::uint64_t output, std::uint64_t deadline) const;

  const terminal* own_;
  sigset_t set_;
  std::vector<int> others_;
  descriptor signals_;
};

} // namespace cordon::linux_shim
