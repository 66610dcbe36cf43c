// SPDX-License-Identifier: BSL-1.0
/// Pipes of this process, which no program inherits by accident.
#pragma once

#include "descriptor.hpp"

namespace cordon::shim {

/// The two ends of a pipe, both closed on exec.
struct pipe_ends {
  descriptor from, to;
};

/// Returns: 0 or errno.
[[nodiscard]] int open_pipe(pipe_ends& ends);

/// Throws: `refused`.
[[nodiscard]] pipe_ends make_pipe();

} // namespace cordon::shim
