// SPDX-License-Identifier: BSL-1.0
/// Tables of an enumeration: an array with one row for each enumerator, in their order. The first two members of a row
/// are `which`, the enumerator, and `name`.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace cordon::detail {

/// The names of a table, in its order.
template <class Row, std::size_t N>
[[nodiscard]] constexpr std::array<std::string_view, N> names_of(const Row (&table)[N]) {
  std::array<std::string_view, N> names;
  for (std::size_t i = 0; i < N; ++i) names[i] = table[i].name;
  return names;
}

/// Does row i belong to enumerator i, for every row?
template <class Row, std::size_t N> [[nodiscard]] constexpr bool is_in_order(const Row (&table)[N]) {
  for (std::size_t i = 0; i < N; ++i)
    if (static_cast<std::size_t>(table[i].which) != i) return false;
  return true;
}

} // namespace cordon::detail
