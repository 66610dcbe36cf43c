// prints: a_system_call_must_have_a_name
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

#ifdef CONTROL
constexpr auto clause = cordon::dsl::cannot_call("memfd_create");
#else
constexpr auto clause = cordon::dsl::cannot_call("memfd create");
#endif
