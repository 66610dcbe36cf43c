// SPDX-License-Identifier: BSL-1.0
/// Addresses as runs of one value each, in ascending order.
#pragma once

#include "../../detail/partition_point.hpp"
#include "../host_axis.hpp"
#include "packed.hpp"
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
  address_runs(step_function<host_tree> of, host::family f, port_pool& ports) {
    std::vector<Number> starts;
    std::vector<value> values;
    entry last;
    bool is_first = true;
    host::each_elementary_range(host::function_set<1>{of}, host::whole(f),
                                [&](const host::elementary_range& cell, const auto& in) {
                                  const entry e = of.at(in[0]);
                                  if (!is_first && e.value == last.value && e.payload == last.payload) return true;
                                  const value v = ports.add(host::port_grant_of(e).allowed);
                                  if (is_first) first_ = v;
                                  else starts.push_back(number_of(cell.first, Number{})), values.push_back(v);
                                  is_first = false;
                                  last = e;
                                  return true;
                                });
    count_ = static_cast<std::uint32_t>(starts.size());
    append(rest_, starts);
    append(rest_, values);
    rest_.shrink_to_fit();
  }

  /// O(log n).
  [[nodiscard]] value find(const host::address& a) const {
    const Number wanted = number_of(a, Number{});
    // runs after the first that start no later
    const std::size_t below =
        partition_point(std::size_t{count_}, [&](std::size_t i) { return nth<Number>(rest_.data(), i) <= wanted; });
    return below == 0 ? first_ : nth<value>(rest_.data() + count_ * sizeof(Number), below - 1);
  }

  [[nodiscard]] std::size_t bytes() const { return rest_.capacity(); }

private:
  value first_ = port_pool::none; ///< of the run that starts at the lowest address
  std::uint32_t count_ = 0;       ///< of the other runs
  std::vector<char> rest_;        ///< the starts of the other runs, then their values
};

} // namespace cordon::detail
