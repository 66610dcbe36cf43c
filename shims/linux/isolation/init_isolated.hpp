// SPDX-License-Identifier: BSL-1.0
/// The init process of namespaces that cordon makes: it sets the namespaces up before it starts the program.
#pragma once

#include "init.hpp"

namespace cordon::linux_shim {

/// Maps the ids of this process's user namespace, by lines of `id_map`. Returns: 0 or errno.
int map_ids(const char* user, const char* group) noexcept;

/// Runs all stages. Ends in exec, or in exit with `reached` and `error` of the program's setup set. `data`: the init
/// setup, on the parent's stack.
void run_first(void* data) noexcept;

} // namespace cordon::linux_shim
