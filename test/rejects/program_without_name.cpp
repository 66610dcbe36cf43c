// prints: a_program_must_have_a_name
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

#ifdef CONTROL
constexpr auto clause = cordon::dsl::can_start("git");
#else
constexpr auto clause = cordon::dsl::can_start("git*");
#endif
