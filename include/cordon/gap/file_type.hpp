// SPDX-License-Identifier: BSL-1.0
/// The type of the file at a path. Compilers do not know it; the code that applies their rules does.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace cordon {

/// What lies at a path, as far as rules depend on it.
enum class file_type : std::uint8_t { unknown, directory, file, socket, absent };

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 5> file_type_names{"unknown", "directory", "file", "socket", "absent"};
/// Returns: the name of the type.
[[nodiscard]] constexpr std::string_view name(file_type e) { return file_type_names[static_cast<std::size_t>(e)]; }

} // namespace cordon
