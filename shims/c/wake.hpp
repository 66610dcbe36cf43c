// SPDX-License-Identifier: BSL-1.0
/// Lets another thread end the wait for a run.
#pragma once

#include "../posix/pipe.hpp"

#include <cordon/run/run.hpp>

#include <atomic>
#include <cstdint>

namespace cordon::c {

class wake {
public:
  /// Throws: `refused`.
  wake() : ends_(shim::make_pipe()) {}

  /// From any thread, and from a signal handler.
  void call() noexcept;
  [[nodiscard]] bool is_called() const noexcept { return called_; }
  /// Waits for the run, the call or a signal, at most for `milliseconds`; the maximum value: without limit.
  void wait(const process_run& run, std::uint32_t milliseconds) const;

private:
  shim::pipe_ends ends_;
  std::atomic<bool> called_ = false;
};

} // namespace cordon::c
