// SPDX-License-Identifier: BSL-1.0
/// Hosts as places of one tree, distinguished by their first byte:
///   `**`             every host
///     `*`            every name and every public address
///       `d`          the name d and all names below it
///         `=d`       only that name
///       prefix       its public addresses
///     prefix         its special addresses
/// A prefix is a byte for family and class, the address, and a byte for the length. A prefix with addresses of both
/// classes is two places. So of any two subtrees, one contains the other, or they are disjoint.
#pragma once

#include "../detail/same.hpp"
#include "name.hpp"
#include "special.hpp"

#include <compare>

namespace cordon::host {

inline constexpr std::string_view everything = "**"; ///< the place of every host and address
inline constexpr std::string_view every_name = "*";  ///< the place of every host name

using place_text = small_text<1 + longest_name>; ///< a place of the tree of hosts

/// `=d`.
[[nodiscard]] constexpr place_text exact_place(std::string_view name) {
  place_text to;
  to.add('=');
  to.add(name);
  return to;
}

/// The addresses of a prefix that are of one class, which is not `mapped_ipv4`.
[[nodiscard]] constexpr place_text place_of(const prefix& p, address_class of) {
  place_text to;
  to.add(static_cast<char>((p.first.family == family::v4 ? 1 : 2) + (of == address_class::special_purpose ? 2 : 0)));
  for (std::size_t i = 0; i < p.first.size(); ++i) to.add(static_cast<char>(p.first.bytes[i]));
  to.add(static_cast<char>(p.length));
  return to;
}
/// The place of one address.
[[nodiscard]] constexpr place_text place_of(const address& a) {
  return place_of(only(a), address_class_at(a).address_class);
}

/// Is it a place of addresses?
[[nodiscard]] constexpr bool is_block(std::string_view place) { return place[0] <= 4; }
/// Is it a place of addresses with special rules?
[[nodiscard]] constexpr bool is_special_block(std::string_view place) { return place[0] == 3 || place[0] == 4; }
/// Is it the place of one host without its sub-domains?
[[nodiscard]] constexpr bool is_exact(std::string_view place) { return place[0] == '='; }
/// Is it a place of host names?
[[nodiscard]] constexpr bool is_name_place(std::string_view place) { return place[0] > 4 && place[0] != '*'; }
/// The name of `d` and of `=d`.
[[nodiscard]] constexpr std::string_view name_of(std::string_view place) {
  return place.substr(is_exact(place) ? 1 : 0);
}
/// The prefix of a place of addresses.
[[nodiscard]] constexpr prefix block_of(std::string_view place) {
  prefix p;
  p.first.family = place[0] % 2 != 0 ? family::v4 : family::v6;
  for (std::size_t i = 0; i < p.first.size(); ++i) p.first.bytes[i] = static_cast<std::uint8_t>(place[1 + i]);
  p.length = static_cast<unsigned char>(place.back());
  return p;
}

namespace detail {

/// The rank of a place's kind: prefixes are last, by family and class, so that all names are adjacent.
[[nodiscard]] constexpr int rank(std::string_view place) {
  if (place[0] == '*') return place.size() == 2 ? 0 : 1;
  return is_block(place) ? 2 + place[0] : 2;
}

/// Compares the address bytes and then the length: a prefix is before the prefixes in it.
[[nodiscard]] constexpr std::strong_ordering order_blocks(std::string_view a, std::string_view b) {
  for (std::size_t i = 1; i < a.size(); ++i)
    if (a[i] != b[i]) return static_cast<unsigned char>(a[i]) <=> static_cast<unsigned char>(b[i]);
  return std::strong_ordering::equal;
}

/// The rank of a character in names: `d` comes before `=d`, that before `x.d`, and these before `xd`.
[[nodiscard]] constexpr int name_rank(char c) {
  return c == '=' ? 1 : c == '.' ? 2 : 3 + static_cast<unsigned char>(c);
}

/// Compares names from the right.
[[nodiscard]] constexpr std::strong_ordering order_names(std::string_view a, std::string_view b) {
  std::size_t i = a.size(), j = b.size();
  const char* const x = a.data();
  const char* const y = b.data();
  for (; i != 0 && j != 0 && x[i - 1] == y[j - 1]; --i) --j;
  return (i == 0 ? 0 : name_rank(x[i - 1])) <=> (j == 0 ? 0 : name_rank(y[j - 1]));
}

[[nodiscard]] constexpr bool block_covers(std::string_view root, std::string_view place) {
  const auto length = static_cast<std::size_t>(static_cast<unsigned char>(root.back()));
  if (length > static_cast<unsigned char>(place.back())) return false;
  for (std::size_t i = 1; i <= length / 8; ++i)
    if (root[i] != place[i]) return false;
  const std::size_t rest = length % 8;
  return rest == 0 || static_cast<unsigned char>(root[length / 8 + 1] ^ place[length / 8 + 1]) >> (8 - rest) == 0;
}

} // namespace detail

/// The tree order: a place before the places that it covers. O(length).
[[nodiscard]] constexpr std::strong_ordering order(std::string_view a, std::string_view b) {
  const int x = detail::rank(a), y = detail::rank(b);
  if (x != y) return x <=> y;
  if (x < 2) return std::strong_ordering::equal;
  return x == 2 ? detail::order_names(a, b) : detail::order_blocks(a, b);
}

/// True if the place is in the subtree of the root. O(length).
[[nodiscard]] constexpr bool covers(std::string_view root, std::string_view place) {
  if (root[0] == '*') return root.size() == 2 || (place != everything && !is_special_block(place));
  if (is_block(root)) return root[0] == place[0] && detail::block_covers(root, place);
  if (is_exact(root) || place[0] == '*' || is_block(place)) return cordon::detail::same(root, place);
  const std::string_view name = name_of(place);
  if (name.size() < root.size()) return false;
  const std::size_t rest = name.size() - root.size();
  return (rest == 0 || name[rest - 1] == '.') && cordon::detail::same(name.substr(rest), root);
}

} // namespace cordon::host
