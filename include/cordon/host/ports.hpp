// SPDX-License-Identifier: BSL-1.0
/// Sets of ports: disjoint ranges in ascending order that are not adjacent, so that one set has one form.
#pragma once

#include "../detail/partition_point.hpp"
#include "../detail/same.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon::host {

inline constexpr std::uint32_t last_port = 65535; ///< the highest port

/// The ports from `first` to `last`, inclusive; 1 to 65535 is every port.
struct port_range {
  std::uint16_t first = 1;        ///< the lowest port
  std::uint16_t last = last_port; ///< the highest port

  [[nodiscard]] constexpr bool is_all() const { return first == 1 && last == last_port; } ///< Is it every port?
  /// Is the port in it?
  [[nodiscard]] constexpr bool contains(std::uint32_t port) const { return first <= port && port <= last; }
  friend constexpr bool operator==(port_range, port_range) = default; ///< Compares both ends.
};

/// A set of ports whose storage the caller owns: four bytes a range, its ends in network byte order.
class ports {
public:
  constexpr ports() = default;
  /// Ranges as bytes, four for each, in ascending order.
  constexpr explicit ports(std::string_view ranges) : ranges_(ranges) {}
  /// Every port.
  [[nodiscard]] static constexpr ports all() {
    using namespace std::string_view_literals;
    return ports("\x00\x01\xff\xff"sv);
  }

  [[nodiscard]] constexpr std::string_view bytes() const { return ranges_; }                 ///< The ranges as bytes.
  [[nodiscard]] constexpr std::size_t size() const { return ranges_.size() / 4; }            ///< The number of ranges.
  [[nodiscard]] constexpr bool empty() const { return ranges_.empty(); }                     ///< Is there no range?
  [[nodiscard]] constexpr bool is_all() const { return size() == 1 && (*this)[0].is_all(); } ///< Is it every port?
  /// The range with that index.
  [[nodiscard]] constexpr port_range operator[](std::size_t i) const { return {half(4 * i), half(4 * i + 2)}; }

  /// O(log n).
  [[nodiscard]] constexpr bool contains(std::uint32_t port) const {
    const std::size_t i =
        cordon::detail::partition_point(size(), [&](std::size_t at) { return (*this)[at].last < port; });
    return i < size() && (*this)[i].contains(port);
  }
  /// Compares the ranges.
  friend constexpr bool operator==(ports a, ports b) { return cordon::detail::same(a.ranges_, b.ranges_); }

private:
  [[nodiscard]] constexpr std::uint16_t half(std::size_t at) const {
    const char* const p = ranges_.data() + at;
    return static_cast<std::uint16_t>(static_cast<unsigned char>(p[0]) << 8 | static_cast<unsigned char>(p[1]));
  }

  std::string_view ranges_{};
};

/// Cuts the ports into runs on which no set changes. Calls `f(run, in)`, with bit i of `in` for the i-th set, until f
/// returns false. Returns: true if it never did. O(ranges).
template <std::size_t N, class F> constexpr bool each_run(const ports (&sets)[N], F&& f) {
  std::size_t at[N]{};
  for (std::uint32_t from = 1; from <= last_port;) {
    std::uint32_t to = last_port, in = 0;
    for (std::size_t i = 0; i < N; ++i) {
      while (at[i] < sets[i].size() && sets[i][at[i]].last < from) ++at[i];
      if (at[i] == sets[i].size()) continue;
      const port_range r = sets[i][at[i]];
      const bool inside = r.first <= from;
      const std::uint32_t end = inside ? r.last : r.first - 1U;
      in |= static_cast<std::uint32_t>(inside) << i;
      if (end < to) to = end;
    }
    if (!f(port_range{static_cast<std::uint16_t>(from), static_cast<std::uint16_t>(to)}, in)) return false;
    from = to + 1;
  }
  return true;
}

/// True if every port of a is in b.
[[nodiscard]] constexpr bool within(ports a, ports b) {
  if (a.empty() || b.is_all()) return true;
  if (b.empty()) return false;
  return each_run({a, b}, [](port_range, std::uint32_t in) { return in != 1; });
}

/// True if both have a port in common.
[[nodiscard]] constexpr bool meets(ports a, ports b) {
  return !each_run({a, b}, [](port_range, std::uint32_t in) { return in != 3; });
}

/// True if every port of a without `but_a` is a port of b without `but_b`.
[[nodiscard]] constexpr bool within(ports a, ports but_a, ports b, ports but_b) {
  if (a.empty() || but_a.is_all()) return true;
  if (but_a.empty() && but_b.empty()) return within(a, b);
  return each_run({a, but_a, b, but_b}, [](port_range, std::uint32_t in) { return (in & 3) != 1 || (in & 12) == 4; });
}

} // namespace cordon::host
