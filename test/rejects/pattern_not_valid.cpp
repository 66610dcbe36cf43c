// prints: a_host_pattern_must_be_valid
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

using namespace cordon::dsl;
#ifdef CONTROL
constexpr cordon::policy policy = cordon::policy_of({can_connect("*.example.com:443")});
#else
constexpr cordon::policy policy = cordon::policy_of({can_connect("a.*.example.com")});
#endif
