// prints: a_place_is_granted_twice
// prints: granted_twice({4, &"/srv"[0]}) || granted_twice(c.
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

using namespace cordon::dsl;
#ifdef CONTROL
constexpr cordon::policy policy = cordon::policy_of({can_read("/srv"), can_write("/srv/app")});
#else
constexpr cordon::policy policy = cordon::policy_of({can_read("/srv"), can_write("/srv")});
#endif
