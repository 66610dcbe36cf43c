// SPDX-License-Identifier: BSL-1.0
/// The processes below this one, as far as this process has to see to their end.
#pragma once

#include <cstdint>
#include <vector>

namespace cordon::linux_shim {

/// Children that this process has already; somebody else's business.
[[nodiscard]] std::vector<int> children_of_others();

/// SIGKILL to everybody below a process who has not left its tree: the orphans of its descendants have.
void end_below(int pid);

/// Bytes resident in a process and all below it.
[[nodiscard]] std::uint64_t resident_in(int pid);

/// Ends everybody below this process but those: orphans of its descendants are its children by now, or will be. Sends
/// signals to nobody else.
void end_tree(const std::vector<int>& others);

} // namespace cordon::linux_shim
