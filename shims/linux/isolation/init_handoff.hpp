// SPDX-License-Identifier: BSL-1.0
/// The data that the launcher passes to the init process through bwrap. Both map the file at one address, so that its
/// pointers are valid in both. Both come from one build and agree about every layout.
#pragma once

#include "init.hpp"

#include <cstddef>
#include <cstdint>

namespace cordon::linux_shim {

/// The header of the file; the data that it points to follows.
struct init_handoff {
  /// A free address in an executable loaded at a fixed address, on every 64-bit machine.
  static constexpr std::uintptr_t address = 0x100000000;

  command what;
  confinement how;
  isolation own;
  host_path program, directory;
  int status_socket = -1; ///< a socket for `init_status`

  /// Returns: the address of the data at `offset` bytes from the start, in every process that maps the file.
  template <class T> [[nodiscard]] static const T* at(std::size_t offset) noexcept {
    return reinterpret_cast<const T*>(address + offset); // NOLINT(performance-no-int-to-ptr): agreed upon
  }
};

/// The progress of the init process. It sends one if it fails, and one once the program runs. After the second it waits
/// for a byte and executes the reaper, which closes the socket. The sender's credentials give its process id.
struct init_status {
  launch_stage reached = launch_stage::none;
  int error = 0;
};

} // namespace cordon::linux_shim
