// SPDX-License-Identifier: BSL-1.0
/// Equality of texts. In a constant expression, the comparison of the standard library costs clang several calls per
/// character.
#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace cordon::detail {

[[nodiscard]] constexpr bool same(std::string_view a, std::string_view b) {
  if (!std::is_constant_evaluated()) return a == b;
  if (a.size() != b.size()) return false;
  const char* const x = a.data();
  const char* const y = b.data();
  for (std::size_t i = a.size(); i-- > 0;)
    if (x[i] != y[i]) return false;
  return true;
}

} // namespace cordon::detail
