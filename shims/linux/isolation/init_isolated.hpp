// SPDX-License-Identifier: BSL-1.0
/// The first process of namespaces that were made for it: it makes itself at home before it starts the program.
#pragma once

#include "init.hpp"

namespace cordon::linux_shim {

/// Of the user namespace that this process has come to live in: lines as `id_map` makes them. 0 or errno.
int map_ids(const char* user, const char* group) noexcept;

/// Goes through all steps; ends in exec, or in exit with `reached` and `error` of the program's setup set. `data`: the
/// init setup, on the parent's stack.
void run_first(void* data) noexcept;

} // namespace cordon::linux_shim
