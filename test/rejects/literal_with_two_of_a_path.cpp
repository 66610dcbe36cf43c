// prints: policy_text_error<cordon::diagnostic_code::duplicate_place, 3, 7,
// prints: {"/srv"} || '/', 's', 'r', 'v'
// SPDX-License-Identifier: BSL-1.0
#include <cordon/notation/literals.hpp>

using namespace cordon::literals;
#ifdef CONTROL
constexpr cordon::policy policy = "read /srv\nlevel none\nwrite /srv/job\n"_policy;
#else
constexpr cordon::policy policy = "read /srv\nlevel none\nwrite /srv\n"_policy;
#endif
