// SPDX-License-Identifier: BSL-1.0
/// The files that may be executed if the policy lists programs. Landlock's right to execute is limited to them, so that
/// the list also applies to programs that the first program starts.
#pragma once

#include <cordon/policy/heap.hpp>
#include <cordon/run/reported.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::linux_shim {

/// Returns: the listed programs in the directories of `search` (as PATH) and of the system that the program cannot
/// write, and `started`, the path by which the run starts a file; empty: it starts a name in `search`. No link that the
/// program may replace is followed. Also their interpreters (first line) and the loaders of all these. Each is a resolved path,
/// once, and only if the policy's files allow it to be run. Nothing if the policy lists no programs. O(entries of the
/// directories).
[[nodiscard]] std::optional<std::vector<std::string>> listed_programs(const loaded_policy& p, std::string_view search,
                                                                      const std::string& started);

/// Adds the gaps of such a list. `narrowed`: execution is limited to the list.
void state_listed_programs(std::vector<reported_gap>& to, const loaded_policy& p, bool narrowed);

} // namespace cordon::linux_shim
