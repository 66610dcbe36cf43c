// prints: policy_text_error
// prints: 1, 9,
// prints: {"a.*.example.com"} || 'a', '.', '*', '.', 'e', 'x', 'a', 'm', 'p', 'l', 'e', '.', 'c', 'o', 'm'
// SPDX-License-Identifier: BSL-1.0
#include <cordon/notation/literals.hpp>

using namespace cordon::literals;
#ifdef CONTROL
constexpr cordon::policy policy = "connect *.example.com\n"_policy;
#else
constexpr cordon::policy policy = "connect a.*.example.com\n"_policy;
#endif
