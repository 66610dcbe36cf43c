// SPDX-License-Identifier: BSL-1.0
/// The owned file descriptor, under this namespace.
#pragma once

#include "../../posix/descriptor.hpp"

namespace cordon::linux_shim {

using shim::descriptor;

} // namespace cordon::linux_shim
