// SPDX-License-Identifier: BSL-1.0
/// What lies at a place. Compilers never know; whoever applies their rules does.
#pragma once

#include <cstdint>

namespace cordon {

enum class file_type : std::uint8_t { unknown, directory, file, socket, absent };

} // namespace cordon
