// SPDX-License-Identifier: BSL-1.0
/// Names and prefixes of names, and the tree of them: `LC_ALL` is one name, `LC_*` every name with that prefix, `*`
/// every name. Environment variables, capabilities, system calls and executables are sets over this tree.
#pragma once

#include "../detail/same.hpp"
#include "step_function.hpp"

#include <compare>
#include <string_view>

namespace cordon {

namespace names {

/// Does the place cover all names with a prefix, as `LC_*` does?
[[nodiscard]] constexpr bool is_prefix(std::string_view place) { return !place.empty() && place.back() == '*'; }
/// The place without its star.
[[nodiscard]] constexpr std::string_view stem(std::string_view place) {
  return is_prefix(place) ? place.substr(0, place.size() - 1) : place;
}

/// Is this a name or a prefix: not empty, no NUL, a star only at the end?
[[nodiscard]] constexpr bool is_place(std::string_view text) {
  return !text.empty() && text.find('\0') == text.npos && stem(text).find('*') == text.npos;
}

/// Is the second place the first one, or covered by its prefix?
[[nodiscard]] constexpr bool covers(std::string_view root, std::string_view place) {
  if (!is_prefix(root)) return detail::same(root, place);
  const std::string_view s = stem(root);
  return stem(place).size() >= s.size() && detail::same(place.substr(0, s.size()), s);
}

/// A prefix comes before all names that start with it; an exact name before longer names.
[[nodiscard]] constexpr std::strong_ordering order(std::string_view a, std::string_view b) {
  const std::string_view x = stem(a), y = stem(b);
  const std::size_t n = x.size() < y.size() ? x.size() : y.size();
  const char* const p = x.data();
  const char* const q = y.data();
  for (std::size_t i = 0; i < n; ++i)
    if (p[i] != q[i]) return static_cast<unsigned char>(p[i]) <=> static_cast<unsigned char>(q[i]);
  if (x.size() != y.size()) return x.size() <=> y.size();
  return is_prefix(b) <=> is_prefix(a);
}

} // namespace names

/// Sets of names: a name has the value 1 if it belongs to the set.
struct name_tree : bits {
  /// The order of the walk.
  [[nodiscard]] static constexpr auto order(std::string_view a, std::string_view b) { return names::order(a, b); }
  /// Is the second name the first one, or does a prefix cover it?
  [[nodiscard]] static constexpr bool covers(std::string_view a, std::string_view b) { return names::covers(a, b); }
};

} // namespace cordon
