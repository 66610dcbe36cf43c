// prints: no matching function for call to
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

constexpr cordon::policy policy = cordon::policy_of({cordon::dsl::can_read("/srv")});
#ifdef CONTROL
constexpr auto wider = cordon::widen(policy, cordon::widening::files{}, "/srv", cordon::verb::write);
#else
constexpr auto wider = cordon::widen(policy, "/srv", cordon::verb::write);
#endif
