// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string_view>

namespace cordon {

/// Of this copy of cordon: MAJOR.MINOR.PATCH, as in meson.build.
inline constexpr std::string_view version = "0.1.0";

} // namespace cordon
