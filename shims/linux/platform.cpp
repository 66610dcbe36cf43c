// SPDX-License-Identifier: BSL-1.0
#include "../common/host.hpp"

namespace cordon::shim {

platform this_platform() { return platform::linux_; }

} // namespace cordon::shim
