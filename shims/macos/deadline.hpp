// SPDX-License-Identifier: BSL-1.0
/// A time at which a thread wakes the owner.
#pragma once

#include "../common/run/clock.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace cordon::macos_shim {

class deadline {
public:
  deadline() = default;
  deadline(const deadline&) = delete;
  deadline& operator=(const deadline&) = delete;
  ~deadline() { stop(); }

  /// Starts the thread, which calls `wake` when the time has come.
  void begin(std::function<void()> wake);
  /// Replaces the time, see `shim::now`.
  void set(std::uint64_t moment);
  /// Returns: has the time come since the last call of `set` or `take`?
  [[nodiscard]] bool take() { return late_.exchange(false); }
  /// Ends the thread. Can be repeated.
  void stop();

private:
  void run(const std::function<void()>& wake);

  std::mutex lock_;
  std::condition_variable changed_;
  std::uint64_t moment_ = shim::never; ///< under the lock, like the next one
  bool is_over_ = false;
  std::atomic<bool> late_{false};
  std::thread clock_;
};

} // namespace cordon::macos_shim
