// prints: deleted
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

using cordon::right;

// Sets of rights have an order; a single right is no subset of another one.
#ifdef CONTROL
static_assert(!(cordon::rights(right::read) <= right::write));
#else
static_assert(right::read <= right::write);
#endif
