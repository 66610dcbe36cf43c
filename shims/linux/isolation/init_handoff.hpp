// SPDX-License-Identifier: BSL-1.0
/// What the launcher tells the first process where bwrap stands between them: a file that is mapped at one address by
/// both, so that the pointers in it hold. Both are built together and agree about every layout.
#pragma once

#include "init.hpp"

#include <cstddef>
#include <cstdint>

namespace cordon::linux_shim {

/// The beginning of the file; what it points at comes behind it.
struct init_handoff {
  /// Free in an executable that is loaded at a fixed address, on every machine with 64 bits.
  static constexpr std::uintptr_t address = 0x100000000;

  command what;
  confinement how;
  isolation own;
  host_path program, directory;
  int status_socket = -1; ///< a socket, for answers

  /// What lies so many bytes behind its beginning, wherever it is mapped already or will be.
  template <class T> [[nodiscard]] static const T* at(std::size_t offset) noexcept {
    return reinterpret_cast<const T*>(address + offset); // NOLINT(performance-no-int-to-ptr): agreed upon
  }
};

/// How far the first process has come, sent when it cannot go on, and when the program runs: it then waits for a byte,
/// becomes the reaper, and the socket ends. The sender's credentials tell which process it is.
struct init_status {
  launch_stage reached = launch_stage::none;
  int error = 0;
};

} // namespace cordon::linux_shim
