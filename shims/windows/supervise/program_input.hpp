// SPDX-License-Identifier: BSL-1.0
/// The stdin of a program.
#pragma once

#include "../handle.hpp"
#include "../launch/launch.hpp"

#include <cordon/run/input.hpp>

#include <string>
#include <thread>

namespace cordon::windows_shim {

class program_input {
public:
  program_input() = default;
  program_input(const program_input&) = delete;
  program_input& operator=(const program_input&) = delete;
  ~program_input() { end(); }

  /// Gives the program its end. Throws: `refused`, std::system_error.
  void open(const input& in, command& what);
  /// Call it once the program has its copy.
  void forget_childs_end() { theirs_ = {}; }
  /// Starts to write the text, if the program reads from cordon.
  void begin(const std::string& text);
  /// Waits until the program has read it all, or has ended. Can be repeated.
  void end();

private:
  handle theirs_, ours_;
  std::thread writer_;
};

} // namespace cordon::windows_shim
