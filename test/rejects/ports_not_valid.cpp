// prints: ports_must_be_a_number_or_a_range
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

using namespace cordon::dsl;
#ifdef CONTROL
constexpr cordon::policy policy = cordon::policy_of({can_listen("8000-8080")});
#else
constexpr cordon::policy policy = cordon::policy_of({can_listen("8080-8000")});
#endif
