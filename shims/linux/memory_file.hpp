// SPDX-License-Identifier: BSL-1.0
/// Files in memory that nobody can change any more.
#pragma once

#include "descriptor.hpp"

#include <cstddef>
#include <span>
#include <string_view>

namespace cordon::linux_shim {

/// A sealed file of these bytes, at its beginning. Throws `refused`, naming `what` it was to be.
[[nodiscard]] descriptor memory_file(std::string_view bytes, const char* what);

/// The same to be executed, and by nobody without power to be read. Throws also where the kernel lets nobody execute such a file (vm.memfd_noexec), with the
/// remedy.
[[nodiscard]] descriptor memory_program(std::span<const unsigned char> image, const char* what);

} // namespace cordon::linux_shim
