// SPDX-License-Identifier: BSL-1.0
/// Pipes between a program and the process that starts it.
#pragma once

#include "../../common/run/capture.hpp"
#include "../handle.hpp"

#include <array>
#include <atomic>

namespace cordon::windows_shim {

/// The two ends of a pipe. Throws std::system_error.
struct pipe_ends {
  handle ours, theirs;
  /// `written`: the program writes to its end.
  [[nodiscard]] static pipe_ends make(bool written = true);
};

/// stdout and stderr of a program, and an event that reports output.
class captured {
public:
  /// Throws std::system_error.
  captured();
  ~captured();

  [[nodiscard]] HANDLE theirs(stream which) const { return pipes_[static_cast<std::size_t>(which)].theirs.get(); }
  /// Call after the program has its ends, or could not be started.
  void begin();
  /// Reads the bytes that are available and no more, even if another process still has the write ends. Can be repeated.
  void give_up();
  /// Signalled when output is available, or has ended.
  [[nodiscard]] HANDLE event() const { return event_.get(); }
  [[nodiscard]] std::vector<shim::capture::piece> take() { return all_.take(); }
  [[nodiscard]] bool is_over() { return all_.is_over(); }

private:
  [[nodiscard]] std::size_t read(std::size_t which, char* to, std::size_t room);

  std::array<pipe_ends, 2> pipes_;
  handle event_;
  std::atomic<bool> given_up_{false};
  std::array<std::atomic<HANDLE>, 2> readers_{};        ///< threads
  std::array<std::size_t, 2> left_{64 << 10, 64 << 10}; ///< bytes to read after `give_up`
  shim::capture all_;
};

} // namespace cordon::windows_shim
