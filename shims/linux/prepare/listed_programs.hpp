// SPDX-License-Identifier: BSL-1.0
/// The files that may be executed where a policy lists programs. Landlock's right to execute is narrowed to them, so that the
/// list holds for what a program starts as well.
#pragma once

#include <cordon/policy/heap.hpp>
#include <cordon/run/reported.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::linux_shim {

/// The listed programs in the directories of `search` (as PATH has them) and of the system, and `started`, the file that the
/// run starts; the interpreters of their first lines, and the loaders of all these: resolved names, each once, as far as
/// the policy's files let them be run. Nothing where the policy lists no programs. O(entries of the directories).
[[nodiscard]] std::optional<std::vector<std::string>> listed_programs(const loaded_policy& p, std::string_view search,
                                                                      const std::string& started);

/// What such a list leaves open. `narrowed`: execution is narrowed to the list.
void state_listed_programs(std::vector<reported_gap>& to, const loaded_policy& p, bool narrowed);

} // namespace cordon::linux_shim
