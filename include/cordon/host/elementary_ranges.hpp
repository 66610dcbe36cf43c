// SPDX-License-Identifier: BSL-1.0
/// Cuts the hosts into cells in which none of several functions changes. The order, the canonical form and the verdicts
/// on prefixes use these cells. A merge by place is not enough, since two halves leave nothing of their prefix.
#pragma once

#include "tree.hpp"

#include <array>

namespace cordon::host {

/// Functions that are looked up together.
template <std::size_t N> using function_set = std::array<step_function<host_tree>, N>;
/// The index of the deciding entry in each function.
template <std::size_t N> using deciding_entries = std::array<std::uint32_t, N>;

/// Calls `f(place, in)` for `*` and for every name that a function lists, in tree order. The place represents all names
/// that it covers and no later call covers. Stops when f returns false. Returns: true if it never did. O(n).
template <std::size_t N, class F> constexpr bool each_elementary_name(const function_set<N>& of, F&& f) {
  deciding_entries<N> at{}, in{};
  for (std::size_t k = 0; k < N; ++k) {
    at[k] = of[k].upper_bound(every_name);
    in[k] = of[k].nearest_covering(at[k] == 0 ? no_slot : at[k] - 1, every_name);
  }
  if (!f(every_name, in)) return false;
  for (;;) {
    std::string_view place;
    for (std::size_t k = 0; k < N; ++k) {
      if (at[k] == of[k].size() || !is_name_place(of[k].place(at[k]))) continue;
      const std::string_view mine = of[k].place(at[k]);
      if (place.empty() || order(mine, place) < 0) place = mine;
    }
    if (place.empty()) return true;
    for (std::size_t k = 0; k < N; ++k) {
      const bool mine = at[k] != of[k].size() && of[k].place(at[k]) == place;
      in[k] = mine ? at[k]++ : of[k].nearest_covering(in[k], place);
    }
    if (!f(place, in)) return false;
  }
}

namespace detail {

/// The position of a function in the addresses of one class and family.
class block_cursor {
public:
  constexpr block_cursor() = default;
  constexpr block_cursor(step_function<host_tree> of, std::string_view first) : of_(of), next_(of.upper_bound(first)) {
    in_ = of.nearest_covering(next_ == 0 ? no_slot : next_ - 1, first);
  }

  /// Moves to an address, which must not be before the last one. `place` is its place.
  constexpr void move(std::string_view place) {
    while (next_ != of_.size() && order(of_.place(next_), place) <= 0) in_ = next_++;
    in_ = of_.nearest_covering(in_, place);
  }
  [[nodiscard]] constexpr std::uint32_t in() const { return in_; }

  /// The last address of the cell that contains `place`, for this function; or `last` if that is earlier.
  [[nodiscard]] constexpr address end(std::string_view place, address last) const {
    if (next_ != of_.size() && of_.place(next_)[0] == place[0]) {
      const address start = block_of(of_.place(next_)).first;
      if (start <= last) last = previous(start);
    }
    if (in_ != no_slot && is_block(of_.place(in_))) {
      const address end = block_of(of_.place(in_)).last();
      if (end < last) last = end;
    }
    return last;
  }

private:
  step_function<host_tree> of_{};
  std::uint32_t next_ = 0;
  std::uint32_t in_ = no_slot;
};

} // namespace detail

/// Addresses from `first` to `last`, all of one class.
struct elementary_range {
  address first;                     ///< the lowest address
  address last;                      ///< the highest one
  host::address_class address_class; ///< the class of all its addresses
};

/// Calls `f(cell, in)` for each cell of a prefix in ascending order, except mapped IPv4 addresses, which have no place.
/// Stops when f returns false. Returns: true if it never did. O(log n) and the entries within the prefix.
template <std::size_t N, class F>
constexpr bool each_elementary_range(const function_set<N>& of, const prefix& inside, F&& f) {
  const address last = inside.last();
  std::array<std::array<detail::block_cursor, N>, 2> cursors;
  for (const address_class r : {address_class::global, address_class::special_purpose}) {
    const place_text start = place_of(only(inside.first), r);
    for (std::size_t k = 0; k < N; ++k) cursors[static_cast<std::size_t>(r)][k] = {of[k], start.view()};
  }
  for (address at = inside.first;;) {
    const address_class_run run = address_class_at(at);
    address end = run.last < last ? run.last : last;
    if (run.address_class != address_class::mapped_ipv4) {
      const place_text place = place_of(only(at), run.address_class);
      deciding_entries<N> in{};
      for (std::size_t k = 0; k < N; ++k) {
        detail::block_cursor& c = cursors[static_cast<std::size_t>(run.address_class)][k];
        c.move(place.view());
        in[k] = c.in();
        end = c.end(place.view(), end);
      }
      if (!f(elementary_range{at, end, run.address_class}, in)) return false;
    }
    if (end == last) return true;
    at = next(end);
  }
}

/// True if the function lists addresses of that family. If not, all its special addresses have one value, and the
/// others have the value of `*`. O(log n).
[[nodiscard]] constexpr bool has_blocks(step_function<host_tree> of, family f) {
  if (of.empty() || !is_block(of.place(of.size() - 1))) return false; // blocks are last
  for (const address_class r : {address_class::global, address_class::special_purpose}) {
    const place_text first = place_of(whole(f), r);
    const std::uint32_t i = of.upper_bound(first.view());
    if (i != of.size() && of.place(i)[0] == first.view()[0]) return true;
    if (i != 0 && of.place(i - 1) == first.view()) return true;
  }
  return false;
}
/// The deciding entry of a special address if the function lists none of its family: only that for every host.
[[nodiscard]] constexpr std::uint32_t first_decider(step_function<host_tree> of) {
  return !of.empty() && of.place(0) == everything ? 0 : no_slot;
}
/// Does any function have a rule about addresses of that family?
template <std::size_t N> [[nodiscard]] constexpr bool has_blocks(const function_set<N>& all, family f) {
  for (const step_function<host_tree>& one : all)
    if (has_blocks(one, f)) return true;
  return false;
}

} // namespace cordon::host
