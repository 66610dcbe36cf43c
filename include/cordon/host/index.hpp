// SPDX-License-Identifier: BSL-1.0
/// An index of a union of host patterns. It gives the same answers as the step function, in a few memory accesses for
/// any number of patterns. For gateways, which check every connection.
#pragma once

#include "host.hpp"
#include "index/address_runs.hpp"
#include "index/name_table.hpp"

namespace cordon {

/// Built once, then read by any number of threads. An axis needs two: its allowed hosts and its denied ones.
class host_index {
public:
  /// Copies the data that it needs from a union of patterns. O(n).
  explicit host_index(step_function<host_tree> of)
      : names_(of, ports_), ipv4_(of, host::family::v4, ports_), ipv6_(of, host::family::v6, ports_) {
    ports_.shrink();
  }

  /// True if a pattern covers the name, in canonical form, with that port. O(size of the name).
  [[nodiscard]] bool covers(std::string_view name, std::uint16_t port) const {
    return ports_.contains(names_.find(name), port);
  }
  /// The same for an address. O(log n).
  [[nodiscard]] bool covers(const host::address& a, std::uint16_t port) const {
    const host::address b = host::unmapped(a);
    return ports_.contains(b.family == host::family::v4 ? ipv4_.find(b) : ipv6_.find(b), port);
  }
  /// The same for a parsed host; false if it is malformed.
  [[nodiscard]] bool covers(const host::requested_host& q) const {
    if (q.how != host::asking::host) return false;
    return q.is_address ? covers(q.address, q.port) : covers(q.name.view(), q.port);
  }

  /// Bytes in use: the object and its heap memory.
  [[nodiscard]] std::size_t bytes() const {
    return sizeof *this + ports_.bytes() + names_.bytes() + ipv4_.bytes() + ipv6_.bytes();
  }

private:
  detail::port_pool ports_;
  detail::name_table names_;
  detail::address_runs<std::uint32_t> ipv4_;
  detail::address_runs<detail::two_numbers> ipv6_;
};

} // namespace cordon
