// prints: a_variable_must_have_a_name
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

using namespace cordon::dsl;
#ifdef CONTROL
constexpr cordon::policy policy = cordon::policy_of({passes("LC_*")});
#else
constexpr cordon::policy policy = cordon::policy_of({passes("A=B")});
#endif
