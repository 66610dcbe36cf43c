// prints: this_policy_holds_more_than_its_storage
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

using namespace cordon::dsl;
using small = cordon::basic_policy<cordon::fixed_storage<5, 1024>>;
constexpr small a = cordon::policy_of<small>({can_read("/"), hidden("/a")});
#ifdef CONTROL
constexpr small b = a;
#else
constexpr small b = cordon::policy_of<small>({can_read("/"), hidden("/b")});
#endif
constexpr small both = a & b;
