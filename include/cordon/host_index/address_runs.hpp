// SPDX-License-Identifier: BSL-1.0
/// Addresses as runs of one value each, in ascending order.
#pragma once

#include "../host/host_axis.hpp"
#include "port_pool.hpp"

#include <array>
#include <vector>

namespace cordon::detail {

[[nodiscard]] constexpr std::uint32_t number_of(const host::address& a, std::uint32_t) {
  std::uint32_t n = 0;
  for (std::size_t i = 0; i < 4; ++i) n = n << 8 | a.bytes[i];
  return n;
}
using two_numbers = std::array<std::uint64_t, 2>;
[[nodiscard]] constexpr two_numbers number_of(const host::address& a, two_numbers n) {
  for (std::size_t i = 0; i < 16; ++i) n[i / 8] = n[i / 8] << 8 | a.bytes[i];
  return n;
}

/// `Number` is std::uint32_t for IPv4 and two_numbers for IPv6.
template <class Number> class address_runs {
public:
  using value = port_pool::value;

  /// O(n).
  address_runs(step<host_tree> of, host::family f, port_pool& ports) {
    entry last;
    host::each_address_cell(host::functions<1>{of}, host::whole(f),
                            [&](const host::address_cell& cell, const auto& in) {
                              const entry e = of.at(in[0]);
                              if (!starts_.empty() && e.value == last.value && e.payload == last.payload) return true;
                              starts_.push_back(number_of(cell.first, Number{}));
                              values_.push_back(ports.add(host::reach_of(e).allowed));
                              last = e;
                              return true;
                            });
    starts_.shrink_to_fit();
    values_.shrink_to_fit();
  }

  /// O(log n).
  [[nodiscard]] value find(const host::address& a) const {
    const Number wanted = number_of(a, Number{});
    std::size_t low = 0;
    for (std::size_t high = starts_.size(); high - low > 1;) {
      const std::size_t middle = low + (high - low) / 2;
      if (starts_[middle] <= wanted) low = middle;
      else high = middle;
    }
    return values_[low];
  }

  [[nodiscard]] std::size_t bytes() const {
    return starts_.capacity() * sizeof(Number) + values_.capacity() * sizeof(value);
  }

private:
  std::vector<Number> starts_;
  std::vector<value> values_;
};

} // namespace cordon::detail
