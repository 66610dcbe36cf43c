// SPDX-License-Identifier: BSL-1.0
/// The caller's directory of a run, with the probe and the profile (see `prepared`).
#pragma once

#include "../posix/run_directory.hpp"
#include "prepared.hpp"

namespace cordon::macos_shim {

/// Not in a directory for temporary files, which most policies make writable. Throws: `refused`.
[[nodiscard]] shim::run_directory make_own_directory();

/// Writes the probe and the profile. Throws: `refused`.
void fill_own_directory(const shim::run_directory& own, const prepared& ready);

} // namespace cordon::macos_shim
