// SPDX-License-Identifier: BSL-1.0
/// The system on which the rules of a backend apply.
#pragma once

#include "../platform.hpp"

namespace cordon {

/// The system on which a backend's rules apply.
struct rules_system {
  platform on = platform::linux_; ///< the system whose paths and presets the rules have
  bool any = false;               ///< a runtime applies them, on every system
  bool own_files = false;         ///< programs see files of an image, not those of the host
};

} // namespace cordon
