// SPDX-License-Identifier: BSL-1.0
/// The type of the file at a path. Compilers do not know it; the code that applies their rules does.
#pragma once

#include <cstdint>

namespace cordon {

enum class file_type : std::uint8_t { unknown, directory, file, socket, absent };

} // namespace cordon
