// SPDX-License-Identifier: BSL-1.0
/// From the start of a program to the end of its whole tree.
#pragma once

#include "descriptor.hpp"
#include "terminal.hpp"

#include <cordon/run/launch.hpp>
#include <cordon/run/outcome.hpp>

#include <array>
#include <cstdint>
#include <string>

namespace cordon::linux_shim {

/// Bytes that go through cordon on their way: from a pipe or a terminal to one of cordon's own descriptors, or the other
/// way.
struct relay {
  descriptor from;
  descriptor to;
  bool counted = false; ///< against the limit on output
  bool inward = false;  ///< towards the program
  std::string left{};   ///< of what was read, where there was no room for it
};

/// Makes this process the one that inherits orphans of its descendants, and takes the signals that ask it to end
/// (SIGHUP, SIGINT, SIGQUIT, SIGTERM) as events, and that its terminal has a new size (SIGWINCH). Construct before the launch, in a single-threaded process that has no
/// other children: the end of the tree is the end of all its children.
class supervisor {
public:
  /// `own`: the program's terminal, which is to have the size of the person's; null: it has none.
  explicit supervisor(const terminal* own = nullptr);
  ~supervisor();
  supervisor(const supervisor&) = delete;
  supervisor& operator=(const supervisor&) = delete;

  /// Waits for the program, relays, and ends the tree. Waiting is by descriptors alone. `timeout` in nanoseconds and
  /// `output` in bytes; ~0: none.
  /// `status`: what tells how the program ended, where the child is the first process of its namespaces.
  outcome wait(const launched& child, std::uint64_t timeout, std::uint64_t output, std::array<relay, 3> relays,
               descriptor status = {});

private:
  const terminal* own_;
  descriptor signals_;
};

} // namespace cordon::linux_shim
