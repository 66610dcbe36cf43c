// SPDX-License-Identifier: BSL-1.0
/// Heap sort of slots: in place, O(n log n) for any input, usable in constant expressions. <algorithm> would take every
/// consumer longer to compile than the whole core.
#pragma once

#include <cstdint>

namespace cordon::detail {

template <class T, class Less> constexpr void sort(T* items, std::uint32_t count, Less less) {
  const auto sink = [&](std::uint32_t at, std::uint32_t end) {
    T moved = static_cast<T&&>(items[at]);
    for (std::uint32_t child = 2 * at + 1; child < end; child = 2 * at + 1) {
      if (child + 1 < end && less(items[child], items[child + 1])) ++child;
      if (!less(moved, items[child])) break;
      items[at] = static_cast<T&&>(items[child]);
      at = child;
    }
    items[at] = static_cast<T&&>(moved);
  };
  for (std::uint32_t i = count / 2; i-- > 0;) sink(i, count);
  for (std::uint32_t end = count; end-- > 1;) {
    T last = static_cast<T&&>(items[end]);
    items[end] = static_cast<T&&>(items[0]);
    items[0] = static_cast<T&&>(last);
    sink(0, end);
  }
}

} // namespace cordon::detail
