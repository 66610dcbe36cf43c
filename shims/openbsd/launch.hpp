// SPDX-License-Identifier: BSL-1.0
/// Starts a confined program on OpenBSD. The parent prepares all memory and look-ups; the child only makes system
/// calls. If a step fails, or its effect cannot be verified, the program never starts.
#pragma once

#include "../bsd/launch.hpp"

namespace cordon::openbsd_shim {

using bsd_shim::command;
using bsd_shim::failure;
using bsd_shim::launched;

/// One call of unveil(2).
struct unveiled {
  const char* place = nullptr;
  const char* permissions = nullptr;
};

/// What the child gives up; the caller owns all of it. At least one path: without any, the lock would leave everything
/// visible.
struct confinement {
  const unveiled* places = nullptr;
  unsigned long place_count = 0;
  const char* promises = nullptr; ///< of the launcher, from pledge to exec
  /// Promises of the program. Without them the kernel clears pledge *and* unveil on exec, so null is refused.
  const char* program_promises = nullptr;
};

launched launch(const command& what, const confinement& how) noexcept;

} // namespace cordon::openbsd_shim
