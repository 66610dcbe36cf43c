// prints: the_child_exceeds_the_ceiling<cordon::axis::level, cordon::level::network>
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

using namespace cordon;
constexpr policy ceiling = policy_of({dsl::can_read("/srv")});
#ifdef CONTROL
constexpr policy child = ceiling;
#else
constexpr policy child = widen(ceiling, widening::level{}, level::network);
#endif
static_assert(within<child, ceiling>());
