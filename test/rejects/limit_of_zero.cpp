// prints: a_limit_must_not_be_zero
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

#ifdef CONTROL
constexpr auto limits = cordon::limits().set(cordon::limit::memory, 1);
#else
constexpr auto limits = cordon::limits().set(cordon::limit::memory, 0);
#endif
