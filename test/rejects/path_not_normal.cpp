// prints: a_path_must_be_absolute_and_in_normal_form
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

#ifdef CONTROL
constexpr auto clause = cordon::dsl::can_read("/etc");
#else
constexpr auto clause = cordon::dsl::can_read("/srv/../etc");
#endif
