// SPDX-License-Identifier: BSL-1.0
/// The hosts axis: allowed hosts minus denied ones, with its exact order.
#pragma once

#include "elementary_ranges.hpp"

namespace cordon {

/// Both lists; the caller owns their storage. The meet of two axes is the meet of each list.
struct host_axis {
  step_function<host_tree> allowed{};  ///< the patterns that are allowed
  step_function<denied_tree> denied{}; ///< the patterns that are denied; they win at any depth

  [[nodiscard]] constexpr bool is_none() const; ///< Is no host allowed? O(n).
  [[nodiscard]] constexpr bool is_any() const;  ///< Is every host and address allowed? O(n).
};

/// Calls `f(place)` with a place for every excess of a over b, until f returns false. Places are those of the tree;
/// `host::text_of_place` prints them. Returns: the number of calls. O(n + m).
template <class F> constexpr std::size_t each_excess(const host_axis& a, const host_axis& b, F&& f) {
  const host::function_set<4> all{a.allowed, a.denied.as<host_tree>(), b.allowed, b.denied.as<host_tree>()};
  std::size_t count = 0;
  const auto exceeds = [&](const host::deciding_entries<4>& in) {
    const auto ports = [&](std::size_t k) { return host::port_grant_of(all[k].at(in[k])).allowed; };
    return !host::within(ports(0), ports(1), ports(2), ports(3));
  };
  const auto check = [&](const host::deciding_entries<4>& in, std::string_view place) {
    if (!exceeds(in)) return true;
    ++count;
    return static_cast<bool>(f(place));
  };
  if (!host::each_elementary_name(all, [&](std::string_view place, const auto& in) { return check(in, place); }))
    return count;
  for (const host::family family : {host::family::v4, host::family::v6}) {
    if (!host::has_blocks(all, family)) {
      host::deciding_entries<4> in{};
      for (std::size_t k = 0; k < 4; ++k) in[k] = host::first_decider(all[k]);
      if (exceeds(in) && !check(in, place_of(host::whole(family), host::address_class::special_purpose).view()))
        return count;
      continue;
    }
    // The classes alternate; the same entries of one class are checked once.
    std::array<host::deciding_entries<4>, 2> seen{};
    std::array<bool, 2> any{};
    const bool done =
        host::each_elementary_range(all, host::whole(family), [&](const host::elementary_range& cell, const auto& in) {
          const auto address_class = static_cast<std::size_t>(cell.address_class);
          if (any[address_class] && seen[address_class] == in) return true;
          any[address_class] = true;
          seen[address_class] = in;
          return check(in, host::place_of(host::only(cell.first), cell.address_class).view());
        });
    if (!done) return count;
  }
  return count;
}

/// True if a allows no more than b. O(n + m).
[[nodiscard]] constexpr bool operator<=(const host_axis& a, const host_axis& b) {
  // Compares place by place first: a positive result is exact (see host_tree), and most comparisons are positive.
  if (a.allowed.empty() || (b.denied.empty() && a.allowed <= b.allowed)) return true;
  return each_excess(a, b, [](std::string_view) { return false; }) == 0;
}
/// True if both allow the same hosts.
[[nodiscard]] constexpr bool operator==(const host_axis& a, const host_axis& b) { return a <= b && b <= a; }

namespace host {
/// The slot of an axis that allows everything.
inline constexpr slot any_slot{0, static_cast<std::uint32_t>(everything.size()), no_slot, 1};
/// Every host.
inline constexpr host_axis any_host{{&any_slot, 1, everything.data()}, {}};
} // namespace host

constexpr bool host_axis::is_none() const { return *this <= host_axis{}; }
constexpr bool host_axis::is_any() const { return host::any_host <= *this; }

} // namespace cordon
