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
  /// The order of the walk.
  [[nodiscard]] static constexpr auto order(std::string_view a, std::string_view b) { return host::order(a, b); }
  /// Is the second place the first one or beneath it?
  [[nodiscard]] static constexpr bool covers(std::string_view a, std::string_view b) { return host::covers(a, b); }
  /// Bytes of text after the place of a slot with that value.
  [[nodiscard]] static constexpr std::uint32_t payload_size(std::uint32_t value) { return host::payload_size(value); }

  /// Does the first entry allow no more than the second?
  [[nodiscard]] static constexpr bool within(entry a, entry b) {
    return host::within(host::port_grant_of(a).allowed, host::port_grant_of(b).allowed);
  }

  /// The ports that both allow. A port is named only if both name it, so that the meet resolves to no more than either
  /// entry.
  template <class F> static constexpr bool meet(entry a, entry b, F&& f) {
    if (a.value == 0 || b.value == 1 || (a.value == b.value && a.payload == b.payload)) {
      f(a);
      return true;
    }
    if (b.value == 0 || a.value == 1) {
      f(b);
      return true;
    }
    const host::port_grant x = host::port_grant_of(a), y = host::port_grant_of(b);
    const auto both = [](std::uint32_t in) { return in == 3; };
    host::port_set allowed, named;
    allowed.pick({x.allowed, y.allowed}, both);
    named.pick({x.named, y.named}, both);
    if (allowed.is_full() || named.is_full()) return false;
    host::port_grant_writer to;
    f(to.write(a.place, {allowed.view(), named.view()}));
    return true;
  }
};

/// Denied hosts: the same places, but more ports allow less. An empty list denies nothing, and allows nothing by
/// itself.
struct denied_tree : host_tree {
  /// Does the first entry deny at least what the second denies?
  [[nodiscard]] static constexpr bool within(entry a, entry b) { return host_tree::within(b, a); }

  /// Calls `f` with the entries that deny what either denies.
  template <class F> static constexpr bool meet(entry a, entry b, F&& f) {
    if (a.value == 1 || b.value == 0 || (a.value == b.value && a.payload == b.payload)) {
      f(a);
      return true;
    }
    if (b.value == 1 || a.value == 0) {
      f(b);
      return true;
    }
    host::port_set denied;
    denied.pick({host::port_grant_of(a).allowed, host::port_grant_of(b).allowed},
                [](std::uint32_t in) { return in != 0; });
    if (denied.is_full()) return false;
    host::port_grant_writer to;
    f(to.write(a.place, {denied.view(), denied.view()}));
    return true;
  }
};

} // namespace cordon
