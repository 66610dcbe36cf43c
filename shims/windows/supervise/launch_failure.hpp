// SPDX-License-Identifier: BSL-1.0
/// Why a stage of a launch failed, as a message.
#pragma once

#include "../launch/launch.hpp"

#include <string>

namespace cordon::windows_shim {

/// `object`: the one whose access list could not be changed; null: none.
[[nodiscard]] std::string describe_failure(const failure& why, const std::wstring* object);

} // namespace cordon::windows_shim
