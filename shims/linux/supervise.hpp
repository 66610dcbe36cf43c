// SPDX-License-Identifier: BSL-1.0
/// From the start of a program to the end of its whole tree.
#pragma once

#include "descriptor.hpp"

#include <cordon/run/launch.hpp>
#include <cordon/run/outcome.hpp>

#include <array>
#include <cstdint>

namespace cordon::linux_shim {

/// Makes this process the one that inherits orphans of its descendants, and takes the signals that ask it to end
/// (SIGHUP, SIGINT, SIGQUIT, SIGTERM) as events. Construct before the launch, in a single-threaded process that has no
/// other children: the end of the tree is the end of all its children.
class supervisor {
public:
  supervisor();
  ~supervisor();
  supervisor(const supervisor&) = delete;
  supervisor& operator=(const supervisor&) = delete;

  /// Waits for the program, relays from pipe to descriptor where `relay_from` has one, and ends the tree. Waiting is by
  /// descriptors alone. `timeout` in nanoseconds and `output` in bytes; ~0: none.
  outcome wait(const launched& child, std::uint64_t timeout, std::uint64_t output, std::array<descriptor, 2> relay_from);

private:
  descriptor signals_;
};

} // namespace cordon::linux_shim
