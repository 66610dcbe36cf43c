// SPDX-License-Identifier: BSL-1.0
/// The stdin, stdout and stderr of a program. Threads read and write cordon's ends.
#pragma once

#include "../common/run/capture.hpp"
#include "../posix/pipe.hpp"
#include "launch.hpp"

#include <cordon/run/input.hpp>

#include <functional>
#include <optional>
#include <thread>
#include <vector>

namespace cordon::macos_shim {

class streams {
public:
  streams() = default;
  streams(const streams&) = delete;
  streams& operator=(const streams&) = delete;
  ~streams() { end(); }

  /// Changes `what` so that the program gets its ends. Throws: `refused`.
  void open(const input& in, command& what);
  /// Call it once the program has its copies.
  void forget_childs_ends();
  /// Starts to read. The threads call `wake` when there is output to take, and at the end of a stream.
  void begin_output(const std::function<void()>& wake);
  /// Starts to write the input, which must outlive this object.
  void begin_input(const input& in);
  [[nodiscard]] std::vector<shim::capture::piece> take() { return captured_->take(); }
  [[nodiscard]] bool is_over() { return captured_->is_over(); }
  /// Ends reading and writing, even if another process holds the streams. Up to 64 KiB that a pipe already holds are
  /// still read. Can be repeated.
  void stop() { stop_.to = {}; }
  /// Stops, and waits for the threads. Can be repeated.
  void end();

private:
  void give_input(const input& in, command& what);

  shim::pipe_ends stop_; ///< readable, at its end, once the threads are to stop
  shim::pipe_ends output_, error_;
  shim::descriptor input_, input_writes_;
  std::optional<shim::capture> captured_;
  std::thread writer_;
};

} // namespace cordon::macos_shim
