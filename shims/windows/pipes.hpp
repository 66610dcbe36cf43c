// SPDX-License-Identifier: BSL-1.0
/// Pipes between a program and whoever started it.
#pragma once

#include "../common/capture.hpp"
#include "handle.hpp"

#include <array>
#include <atomic>

namespace cordon::windows_shim {

/// The two ends of a pipe. Throws std::system_error.
struct pipe_ends {
  handle ours, theirs;
  /// `written`: theirs is the end that is written to.
  [[nodiscard]] static pipe_ends make(bool written = true);
};

/// stdout and stderr of a program, and an event for whoever waits for them.
class captured {
public:
  /// Throws std::system_error.
  captured();
  ~captured();

  [[nodiscard]] HANDLE theirs(stream which) const { return pipes_[static_cast<std::size_t>(which)].theirs.get(); }
  /// Once the program has its ends, or there is none.
  void begin();
  /// Reads what is there, and no more, whoever still has the other ends. As often as it takes.
  void give_up();
  /// Signalled when there is something to be heard, or no more to come.
  [[nodiscard]] HANDLE event() const { return event_.get(); }
  [[nodiscard]] std::vector<shim::capture::piece> take() { return all_.take(); }
  [[nodiscard]] bool is_over() { return all_.is_over(); }

private:
  [[nodiscard]] std::size_t read(std::size_t which, char* to, std::size_t room);

  std::array<pipe_ends, 2> pipes_;
  handle event_;
  std::atomic<bool> given_up_{false};
  std::array<std::atomic<HANDLE>, 2> readers_{};        ///< threads
  std::array<std::size_t, 2> left_{64 << 10, 64 << 10}; ///< bytes, once it is given up
  shim::capture all_;
};

} // namespace cordon::windows_shim
