// SPDX-License-Identifier: BSL-1.0
/// The command verify, with a compiler of one's own choice.
#pragma once

#include "commands.hpp"

#include <cordon/backend/landlock.hpp>
#include <cordon/heap.hpp>

namespace cordon::cli {

using landlock_plan = plan<landlock::rules<heap>>;
using landlock_compiler = landlock_plan (*)(const loaded_policy&, landlock::target);

/// `compiler`: whose rules are proven; a test gives one with a fault.
void add_verify(CLI::App& app, action& chosen, landlock_compiler compiler);

} // namespace cordon::cli
