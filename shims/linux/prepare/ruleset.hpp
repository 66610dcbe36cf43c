// SPDX-License-Identifier: BSL-1.0
/// Landlock rules made into a ruleset of the kernel.
#pragma once

#include "../child/descriptor.hpp"

#include <cordon/backend/landlock.hpp>
#include <cordon/policy/heap.hpp>

#include <string>
#include <vector>

namespace cordon::linux_shim {

/// Opens every place once, without following links, and adds it to a new ruleset. `temp` stands for `run_temp`. Throws
/// `refused` naming the place that cannot be opened, has become a link, or cannot carry a rule.
/// `programs`: the only files that may be executed; null: all that the rules let be run.
[[nodiscard]] descriptor make_ruleset(const landlock::rules<heap>& rules, const std::string& temp,
                                      const std::vector<std::string>* programs = nullptr);

} // namespace cordon::linux_shim
