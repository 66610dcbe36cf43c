// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string_view>

/// The version of this copy of cordon as a number, for `#if`: MAJOR * 10000 + MINOR * 100 + PATCH. The only macro of a
/// public header.
#define CORDON_VERSION 100

namespace cordon {

/// Of this copy of cordon: MAJOR.MINOR.PATCH, as in meson.build.
inline constexpr std::string_view version = "0.1.0";

} // namespace cordon
