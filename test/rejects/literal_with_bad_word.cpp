// prints: policy_text_error
// prints: 2, 7,
// prints: {"nothing"} || 'n', 'o', 't', 'h', 'i', 'n', 'g'
// SPDX-License-Identifier: BSL-1.0
#include <cordon/notation/literals.hpp>

using namespace cordon::literals;
#ifdef CONTROL
constexpr cordon::policy policy = "run /usr\nlevel none\n"_policy;
#else
constexpr cordon::policy policy = "run /usr\nlevel nothing\n"_policy;
#endif
