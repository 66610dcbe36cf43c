// SPDX-License-Identifier: BSL-1.0
/// A launch in namespaces that bwrap makes.
#pragma once

#include "../child/child.hpp"

namespace cordon::linux_shim {

/// As `launch`, with bwrap as the child. On failure returns bwrap's error text, as soon as bwrap has ended.
launched launch_wrapped(const child_setup& e) noexcept;

} // namespace cordon::linux_shim
