// SPDX-License-Identifier: BSL-1.0
/// The processes below this one that this process must end.
#pragma once

#include <cstdint>
#include <vector>

namespace cordon::linux_shim {

/// Returns: the existing children of this process, which a run must not end.
[[nodiscard]] std::vector<int> children_of_others();

/// Sends SIGKILL to every process of the tree below `pid`. Orphans of its descendants have left that tree.
void end_below(int pid);

/// Returns: the resident memory of a process and all below it, in bytes.
[[nodiscard]] std::uint64_t resident_in(int pid);

/// Ends every process below this one except `others`. Orphans of its descendants are, or will become, its children.
/// Sends signals to no other process.
void end_tree(const std::vector<int>& others);

} // namespace cordon::linux_shim
