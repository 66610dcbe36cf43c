// prints: plain_axes
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

constexpr cordon::policy wide = cordon::unconfined(cordon::widening::all_axes{});
constexpr cordon::plain_axes ceiling{};

#ifdef CONTROL
constexpr bool fits = wide.plain() <= ceiling;
#else
constexpr bool fits = wide <= ceiling;
#endif
