// SPDX-License-Identifier: BSL-1.0
/// The trees of the hosts axis: what is allowed and what is denied, ports for each place.
#pragma once

#include "place.hpp"
#include "port_grant.hpp"

namespace cordon {

/// Allowed hosts. More ports are more.
///
/// `within` and the `<=` of step functions compare place by place. That says yes only where it is so, but not always
/// then: two halves may stand for a prefix. `host_axis` (host/host_axis.hpp) has the exact order.
struct host_tree {
  [[nodiscard]] static constexpr auto order(std::string_view a, std::string_view b) { return host::order(a, b); }
  [[nodiscard]] static constexpr bool covers(std::string_view a, std::string_view b) { return host::covers(a, b); }
  [[nodiscard]] static constexpr std::uint32_t payload_size(std::uint32_t value) { return host::payload_size(value); }

  [[nodiscard]] static constexpr bool within(entry a, entry b) {
    return host::within(host::port_grant_of(a).allowed, host::port_grant_of(b).allowed);
  }

  /// The ports of both; named where both name them, so that the pair resolves to no more than either does.
  template <class F> static constexpr bool meet(entry a, entry b, F&& f) {
    if (a.value == 0 || b.value == 1 || (a.value == b.value && a.payload == b.payload)) return f(a), true;
    if (b.value == 0 || a.value == 1) return f(b), true;
    const host::port_grant x = host::port_grant_of(a), y = host::port_grant_of(b);
    const auto both = [](std::uint32_t in) { return in == 3; };
    host::port_set allowed, named;
    allowed.pick({x.allowed, y.allowed}, both);
    named.pick({x.named, y.named}, both);
    if (allowed.is_full() || named.is_full()) return false;
    host::reach_writer to;
    f(to.write(a.place, {allowed.view(), named.view()}));
    return true;
  }
};

/// Denied hosts: the same places, but more ports are less. An empty list denies nothing, and allows nothing by itself.
struct denied_tree : host_tree {
  [[nodiscard]] static constexpr bool within(entry a, entry b) { return host_tree::within(b, a); }

  template <class F> static constexpr bool meet(entry a, entry b, F&& f) {
    if (a.value == 1 || b.value == 0 || (a.value == b.value && a.payload == b.payload)) return f(a), true;
    if (b.value == 1 || a.value == 0) return f(b), true;
    host::port_set denied;
    denied.pick({host::port_grant_of(a).allowed, host::port_grant_of(b).allowed},
                [](std::uint32_t in) { return in != 0; });
    if (denied.is_full()) return false;
    host::reach_writer to;
    f(to.write(a.place, {denied.view(), denied.view()}));
    return true;
  }
};

} // namespace cordon
