// prints: the_child_exceeds_the_ceiling<cordon::axis::files, cordon::right::write, cordon::right::create
// prints: {"/srv"} || '/', 's', 'r', 'v'
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

using namespace cordon::dsl;
constexpr cordon::policy ceiling = cordon::policy_of({can_run("/srv"), can_write("/srv/app")});
#ifdef CONTROL
constexpr cordon::policy child = cordon::policy_of({can_run("/srv/bin"), can_write("/srv/app/build")});
#else
constexpr cordon::policy child = cordon::policy_of({can_write("/srv")});
#endif
static_assert(cordon::within<child, ceiling>());
