// SPDX-License-Identifier: BSL-1.0
/// A service of the caller that a document grants by a preset.
#pragma once

#include "../../policy/preset_id.hpp"

#include <string>
#include <vector>

namespace cordon::format {

/// A service, with the sockets or devices at which this host has it.
struct granted_service {
  preset which{};                    ///< the service
  std::vector<std::string> places{}; ///< their paths; empty: none exists where its clients look
};

} // namespace cordon::format
