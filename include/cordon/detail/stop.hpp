// SPDX-License-Identifier: BSL-1.0
/// Ends the build or the process after a programming error. In a constant expression, the build stops and the compiler
/// prints the name of the function, which is the message. At run time, the process aborts before it confines a program
/// too little.
#pragma once

#include <cstdlib>

namespace cordon::detail {

[[noreturn]] inline void this_policy_holds_more_than_its_storage() { std::abort(); }
[[noreturn]] inline void a_place_is_granted_twice() { std::abort(); }
[[noreturn]] inline void a_path_must_be_absolute_and_in_normal_form() { std::abort(); }
[[noreturn]] inline void a_host_pattern_must_be_valid() { std::abort(); }
[[noreturn]] inline void ports_must_be_a_number_or_a_range() { std::abort(); }
[[noreturn]] inline void a_variable_must_have_a_name() { std::abort(); }
[[noreturn]] inline void a_limit_must_not_be_zero() { std::abort(); }

} // namespace cordon::detail
