// SPDX-License-Identifier: BSL-1.0
/// Starting a confined program on OpenBSD. Whatever is to be looked up or laid out has been before; the child makes system
/// calls only. Either every step succeeds, and is seen to have, or the program never starts.
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

/// What the child gives up; everything belongs to the caller. At least one place: after none the lock would leave
/// everything visible.
struct confinement {
  const unveiled* places = nullptr;
  unsigned long place_count = 0;
  const char* promises = nullptr; ///< of the launcher, from pledge to exec
  /// Of the program. Without them the kernel clears pledge *and* unveil when the program is executed: null is refused.
  const char* program_promises = nullptr;
};

launched launch(const command& what, const confinement& how) noexcept;

} // namespace cordon::openbsd_shim
