// SPDX-License-Identifier: BSL-1.0
/// Binary search over indices, usable in constant expressions. <algorithm> would take every consumer longer to compile
/// than the whole core.
#pragma once

namespace cordon::detail {

/// Returns the first of the indices 0 to `count` - 1 for which `is_before` is false, or `count`. `is_before` must be
/// true up to some index and false from there on. O(log count) calls.
template <class Index, class Predicate>
[[nodiscard]] constexpr Index partition_point(Index count, const Predicate& is_before) {
  Index low = 0;
  for (Index high = count; low < high;) {
    const Index middle = low + (high - low) / 2;
    if (is_before(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

} // namespace cordon::detail
