// SPDX-License-Identifier: BSL-1.0
/// Host patterns: `example.com` (with all names below it), `*.example.com` (only those below), `=example.com` (only
/// that name), `*` (every name and every public address), addresses and prefixes. Each may have a port or a range of
/// ports.
#pragma once

#include "address_text.hpp"
#include "flaw.hpp"
#include "name.hpp"
#include "place.hpp"
#include "ports.hpp"

#include <array>
#include <string_view>

namespace cordon::host {

/// What a pattern covers of the tree of hosts.
enum class shape : std::uint8_t {
  every, ///< `*`
  tree,  ///< `example.com`
  below, ///< `*.example.com`
  exact, ///< `=example.com`
  block, ///< an address or a prefix
};

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 5> shape_names{"every", "tree", "below", "exact", "block"};
/// Returns: the name of the shape.
[[nodiscard]] constexpr std::string_view name(shape e) { return shape_names[static_cast<std::size_t>(e)]; }

/// Room for any canonical pattern with a mark before it: `!`, `*.`, the name, two ports.
using pattern_text = small_text<1 + 2 + longest_name + 12>;

/// A pattern, or the flaw of an invalid one.
struct pattern {
  flaw why = flaw::none;            ///< why it is invalid
  host::shape shape = shape::every; ///< what it covers
  name_text name{};                 ///< of tree, below and exact
  prefix block{};                   ///< of block
  port_range ports{};               ///< ports that it covers

  [[nodiscard]] constexpr explicit operator bool() const { return why == flaw::none; } ///< Is the pattern valid?
};

/// Appends `443` or `8000-8999`.
template <std::size_t N> constexpr void print_range(port_range r, small_text<N>& to) {
  to.add_number(r.first, 10);
  if (r.first == r.last) return;
  to.add('-');
  to.add_number(r.last, 10);
}
/// Appends `:443` or `:8000-8999`; nothing for all ports.
template <std::size_t N> constexpr void print(port_range r, small_text<N>& to) {
  if (r.is_all()) return;
  to.add(':');
  print_range(r, to);
}

/// Appends an address or a prefix in pattern syntax.
template <std::size_t N> constexpr void print(const prefix& p, small_text<N>& to) {
  const bool v6 = p.first.family == family::v6;
  if (v6) to.add('[');
  print(p.first, to);
  if (v6) to.add(']');
  if (p.length == p.first.bits()) return;
  to.add('/');
  to.add_number(p.length, 10);
}

/// The canonical text: parsing it returns the same pattern.
[[nodiscard]] constexpr pattern_text text_of(const pattern& p) {
  pattern_text to;
  switch (p.shape) {
  case shape::every: to.add('*'); break;
  case shape::tree: break;
  case shape::below: to.add("*."); break;
  case shape::exact: to.add('='); break;
  case shape::block: print(p.block, to); break;
  }
  to.add(p.name.view());
  print(p.ports, to);
  return to;
}

/// A place of the tree as readable text.
[[nodiscard]] constexpr pattern_text text_of_place(std::string_view place) {
  pattern_text to;
  if (place == everything) to.add("any");
  else if (is_block(place)) print(block_of(place), to);
  else to.add(place);
  return to;
}

} // namespace cordon::host
