// prints: the_child_may_but_the_ceiling_may_not<'w', 'o', 'r', 'k', 's', 'p', 'a', 'c', 'e', ' ', '/', 's', 'r', 'v', ' '
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

using namespace cordon::dsl;
constexpr cordon::policy ceiling = cordon::policy_of({can_run("/usr"), can_write("/srv/app")});
#ifdef CONTROL
constexpr cordon::policy child = cordon::policy_of({can_run("/usr/bin"), can_write("/srv/app/build")});
#else
constexpr cordon::policy child = cordon::policy_of({can_run("/usr/bin"), can_write("/srv")});
#endif
static_assert(cordon::within<child, ceiling>());
