// SPDX-License-Identifier: BSL-1.0
/// The operating systems that documents and reports name.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace cordon {

/// The operating system for which a document is read.
enum class platform : std::uint8_t { linux_, macos, windows, openbsd };

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 4> platform_names{"linux", "macos", "windows", "openbsd"};
/// Returns: the name of the system, as in documents.
[[nodiscard]] constexpr std::string_view name(platform e) { return platform_names[static_cast<std::size_t>(e)]; }

} // namespace cordon
