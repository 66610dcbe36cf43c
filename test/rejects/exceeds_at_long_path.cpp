// prints: {"/srv/application/data/of/one/customer/upload"} || {"/srv/application/data/of/one/custome"}, || 'c', 'u', 's', 't'
// prints: /upload"} || {"r/upload"} || 'u', 'p', 'l', 'o', 'a', 'd'
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

using namespace cordon::dsl;
constexpr cordon::policy ceiling = cordon::policy_of({can_run("/srv")});
#ifdef CONTROL
constexpr cordon::policy child = cordon::policy_of({can_run("/srv/application/data/of/one/customer/upload")});
#else
constexpr cordon::policy child = cordon::policy_of({can_write("/srv/application/data/of/one/customer/upload")});
#endif
static_assert(cordon::within<child, ceiling>());
