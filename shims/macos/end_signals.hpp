// SPDX-License-Identifier: BSL-1.0
/// The signals that request the end of this process: SIGHUP, SIGINT, SIGQUIT and SIGTERM.
#pragma once

#include <csignal>
#include <vector>

namespace cordon::macos_shim {

/// While it lives, each of these signals is a byte in a pipe instead, except those that are ignored, as under nohup(1).
/// One object a process.
class end_signals {
public:
  /// `to`: the write end; it must not block.
  explicit end_signals(int to);
  ~end_signals();
  end_signals(const end_signals&) = delete;
  end_signals& operator=(const end_signals&) = delete;

private:
  std::vector<struct sigaction> before_; ///< former handlers
};

} // namespace cordon::macos_shim
