// prints: plain_axes
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

constexpr cordon::policy wide = cordon::unconfined(cordon::widening::all_axes{});

#ifdef CONTROL
constexpr cordon::plain_axes some = wide.plain();
#else
constexpr cordon::plain_axes some = wide;
#endif
