// SPDX-License-Identifier: BSL-1.0
/// Copies a policy and replaces some of its step functions.
#pragma once

#include "../policy/heap.hpp"
#include "error.hpp"

#include <utility>

namespace cordon {

/// The same policy, except for the parts for which `write.operator()<P>(out)` writes the entries itself and returns
/// true. Throws: policy_overflow. O(n log n) in the entries.
template <class F> [[nodiscard]] loaded_policy rewritten(const loaded_policy& p, F&& write) {
  loaded_policy to;
  to.plain() = p.plain();
  detail::each_part([&]<axis_id P>() {
    const diagnostic d = to.write<P>([&](auto& out) {
      const auto all = p.view<P>();
      if (!write.template operator()<P>(out))
        for (std::uint32_t i = 0; i < all.size(); ++i) out.add(all[i]);
    });
    if (d.code != diagnostic_code::ok) throw policy_overflow();
    return true;
  });
  return to;
}

} // namespace cordon
