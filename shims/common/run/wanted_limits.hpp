// SPDX-License-Identifier: BSL-1.0
/// The limits that a policy sets.
#pragma once

#include <cordon/policy/limits.hpp>

#include <cstddef>

namespace cordon::shim {

/// Calls `visit(limit)` for each of them, in the order of the enumeration.
template <class Visit> void each_wanted(const limits& wanted, Visit&& visit) {
  for (std::size_t i = 0; i < limit_names.size(); ++i)
    if (const auto l = static_cast<limit>(i); wanted.has(l)) visit(l);
}

} // namespace cordon::shim
