// SPDX-License-Identifier: BSL-1.0
/// What a program writes, while it writes it: both streams are read by threads of their own, so that neither can hold the
/// program because nobody reads the other one. Who does not listen for long holds it, though.
#pragma once

#include <cordon/run/run.hpp>

#include <array>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace cordon::shim {

class capture {
public:
  /// Waits for bytes and puts them there: how many, 0 at the end.
  using reader = std::function<std::size_t(char* to, std::size_t room)>;
  struct piece {
    stream from;
    std::string bytes;
  };

  /// `wake` is called by the threads when there is something to be heard, or no more to come.
  explicit capture(std::function<void()> wake) : wake_(std::move(wake)) {}
  /// Nobody must be left who could write.
  ~capture();
  capture(const capture&) = delete;
  capture& operator=(const capture&) = delete;

  void begin(reader output, reader error);
  /// What has come since the last time.
  [[nodiscard]] std::vector<piece> take();
  /// Has everything come, and been taken?
  [[nodiscard]] bool is_over();
  /// Forgets what comes from now on, and holds nobody.
  void stop_listening();
  /// Does nobody read any more?
  [[nodiscard]] bool has_ended();

private:
  void read(stream which, const reader& from);

  static constexpr std::size_t most = 4 << 20; // bytes that wait to be heard
  std::function<void()> wake_;
  std::mutex lock_;
  std::condition_variable heard_;
  std::vector<piece> pieces_;
  std::size_t waiting_ = 0;
  int open_ = 0;
  bool deaf_ = false;
  std::array<std::thread, 2> threads_;
};

} // namespace cordon::shim
