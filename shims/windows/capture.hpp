// SPDX-License-Identifier: BSL-1.0
/// What a program writes, while it writes it: both pipes are always read, so that neither can fill up and hold it.
#pragma once

#include "launch.hpp"

#include <cordon/run/excerpt.hpp>

namespace cordon::windows_shim {

/// How a program ended.
struct ended {
  DWORD status = 0;
  bool timed_out = false; ///< its whole tree was ended
  excerpt output, error;
};

/// The two ends of a pipe. Throws std::system_error.
struct pipe_ends {
  handle ours, theirs;
  [[nodiscard]] static pipe_ends make();
};

/// Reads both until the end of the program, or for so many milliseconds (INFINITE: for ever), and then ends all that is
/// left of its tree. The caller has closed its own copies of the program's ends.
[[nodiscard]] ended wait_for(launched program, handle output, handle error, excerpt_size keep, DWORD milliseconds);

} // namespace cordon::windows_shim
