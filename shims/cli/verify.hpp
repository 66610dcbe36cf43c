// SPDX-License-Identifier: BSL-1.0
/// The command verify, with a replaceable compiler.
#pragma once

#include "subcommand.hpp"

#include <cordon/backend/landlock.hpp>
#include <cordon/policy/heap.hpp>

namespace cordon::cli {

using landlock_plan = plan<landlock::rules<heap>>;
using landlock_compiler = landlock_plan (*)(const loaded_policy&, landlock::target);

/// `compiler`: makes the rules to prove; a test passes one with a fault.
[[nodiscard]] std::function<void(subcommand&)> verify_of(landlock_compiler compiler);

} // namespace cordon::cli
