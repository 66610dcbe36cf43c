// prints: no matching function for call to
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

#ifdef CONTROL
constexpr auto top = cordon::unconfined(cordon::widening::all_axes{});
#else
constexpr auto top = cordon::unconfined();
#endif
