// prints: deleted
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

// The stricter profile comes last: the order of the enumeration is the reverse of the policies' order.
#ifdef CONTROL
static_assert(within(cordon::profile::os_hardened, cordon::profile::worktree));
#else
static_assert(cordon::profile::worktree <= cordon::profile::os_hardened);
#endif
