// SPDX-License-Identifier: BSL-1.0
/// Captures a program's output while it runs. Each stream has its own reader thread, so that an unread stream does not
/// block the other. If the caller does not take the output for long, the program still blocks.
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
  /// Waits for bytes and stores them. Returns: their number, 0 at the end of the stream.
  using reader = std::function<std::size_t(char* to, std::size_t room)>;
  struct piece {
    stream from;
    std::string bytes;
  };

  /// The threads call `wake` when there is output to take, and at the end of a stream.
  explicit capture(std::function<void()> wake) : wake_(std::move(wake)) {}
  /// No process may still have the streams open for writing.
  ~capture();
  capture(const capture&) = delete;
  capture& operator=(const capture&) = delete;

  void begin(reader output, reader error);
  /// The output since the last call.
  [[nodiscard]] std::vector<piece> take();
  /// Has all output arrived, and been taken?
  [[nodiscard]] bool is_over();
  /// Discards further output, so that the program does not block.
  void stop_listening();
  /// Have both reader threads ended?
  [[nodiscard]] bool has_ended();

private:
  void read(stream which, const reader& from);

  static constexpr std::size_t most = 4 << 20; // bytes that may wait to be taken
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
