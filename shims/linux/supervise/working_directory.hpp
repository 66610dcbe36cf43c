// SPDX-License-Identifier: BSL-1.0
/// The working directory of a program.
#pragma once

#include "../child/descriptor.hpp"

#include <cordon/policy/heap.hpp>

#include <string>

#include <sys/stat.h>

namespace cordon::linux_shim {

/// Opens it by the checked path. Throws: `refused`, also if a component has become a symbolic link.
[[nodiscard]] descriptor open_directory(const std::string& place, struct stat& st);

/// Checks that a root without capabilities can write in a directory that another user owns. Throws: `refused`.
void check_owner(const loaded_policy& p, const std::string& directory, const struct stat& st);

} // namespace cordon::linux_shim
