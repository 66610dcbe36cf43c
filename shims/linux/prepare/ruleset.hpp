// SPDX-License-Identifier: BSL-1.0
/// Loads Landlock rules into a ruleset of the kernel.
#pragma once

#include "../child/descriptor.hpp"

#include <cordon/backend/landlock.hpp>
#include <cordon/policy/heap.hpp>

#include <string>
#include <vector>

namespace cordon::linux_shim {

/// Opens every path once, without following links, and adds it to a new ruleset. `temp` replaces `run_temp`.
/// `programs`: the only files that may be executed; null: all that the rules allow to run. Throws: `refused` with the
/// path if it cannot be opened, has become a symbolic link, or does not accept a rule.
[[nodiscard]] descriptor make_ruleset(const landlock::rules<heap>& rules, const std::string& temp,
                                      const std::vector<std::string>* programs = nullptr);

} // namespace cordon::linux_shim
