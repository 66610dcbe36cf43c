// SPDX-License-Identifier: BSL-1.0
/// The trees of the hosts axis: allowed and denied hosts, each place with its ports.
#pragma once

#include "place.hpp"
#include "port_grant.hpp"

namespace cordon {

/// Allowed hosts: more ports allow more.
///
/// `within` and the `<=` of step functions compare place by place. A positive result is exact; a negative one may be
/// wrong, because two halves can represent a prefix. `host_axis` (host/host_axis.hpp) has the exact order.
struct host_tree {
  [[nodiscard]] static constexpr auto order(std::string_view a, std::string_view b) { return host::order(a, b); }
  [[nodiscard]] static constexpr bool covers(std::string_view a, std::string_view b) { return host::covers(a, b); }
  [[nodiscard]] static constexpr std::uint32_t payload_size(std::uint32_t value) { return host::payload_size(value); }

  [[nodiscard]] static constexpr bool within(entry a, entry b) {
    return host::within(host::port_grant_of(a).allowed, host::port_grant_of(b).allowed);
  }

  /// The ports that both allow. A port is named only if both name it, so that the meet resolves to no more than either
  /// entry.
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

/// Denied hosts: the same places, but more ports allow less. An empty list denies nothing, and allows nothing by
/// itself.
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
