// prints: this_policy_holds_more_than_its_storage
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

using namespace cordon::dsl;
#ifdef CONTROL
using small = cordon::basic_policy<cordon::fixed_storage<64, 1024>>;
#else
using small = cordon::basic_policy<cordon::fixed_storage<4, 1024>>;
#endif
constexpr small policy = cordon::policy_of<small>({can_read("/a"), can_read("/b"), can_read("/c"), can_read("/d")});
