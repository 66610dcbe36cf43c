// SPDX-License-Identifier: BSL-1.0
/// The processes below this one, as far as this process has to see to their end.
#pragma once

#include <vector>

namespace cordon::linux_shim {

/// Children that this process has already; somebody else's business.
[[nodiscard]] std::vector<int> children_of_others();

/// Ends everybody below this process but those: orphans of its descendants are its children by now, or will be. Sends
/// signals to nobody else.
void end_tree(const std::vector<int>& others);

} // namespace cordon::linux_shim
