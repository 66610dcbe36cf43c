// prints: the_child_exceeds_the_ceiling<cordon::axis::hosts,
// prints: {"api.example.com:80"} || 'a', 'p', 'i', '.', 'e', 'x', 'a', 'm', 'p', 'l', 'e', '.', 'c', 'o', 'm', ':', '8', '0'
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

using namespace cordon::dsl;
// The ceiling lacks the level too, which says less.
constexpr cordon::policy ceiling = cordon::policy_of({can_run("/usr")});
#ifdef CONTROL
constexpr cordon::policy child = ceiling;
#else
constexpr cordon::policy child = cordon::policy_of({can_run("/usr"), can_connect("api.example.com:80")});
#endif
static_assert(cordon::within<child, ceiling>());
