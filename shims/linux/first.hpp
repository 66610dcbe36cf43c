// SPDX-License-Identifier: BSL-1.0
/// The first process of a program's namespaces: it makes them a place to live in, starts the program beside itself, and
/// becomes a small one that reaps, relays and ends last.
#pragma once

#include "child.hpp"
#include "isolation.hpp"
#include "spare_stack.hpp"

#include <climits>

namespace cordon::linux_shim {

/// Lives on the parent's stack, as the program's errand does.
struct undertaking {
  errand& program;
  const spare_stack& stack; ///< for the program's process, while this one stands still
  const isolation& own = *program.how.isolated;
  /// Where the descriptors of the errand lead, for their like in the view; empty: there is none.
  char program_at[PATH_MAX]{}, directory_at[PATH_MAX]{};
};

/// Of the user namespace that this process has come to live in: lines as `id_map` makes them. 0 or errno.
int map_ids(const char* user, const char* group) noexcept;

/// Goes through all steps; ends in exec, or in exit with `reached` and `error` of the errand set. `data`: the
/// undertaking.
void run_first(void* data) noexcept;

} // namespace cordon::linux_shim
