// SPDX-License-Identifier: BSL-1.0
/// The sockets axis: ports on which a process may listen, the loopback network, unix sockets by path.
#pragma once

#include "../host/tree.hpp"
#include "path.hpp"

namespace cordon {

namespace sockets {

inline constexpr std::string_view listening = "listen"; ///< the place whose value is a set of ports
inline constexpr std::string_view loopback = "loopback";

namespace detail {
[[nodiscard]] constexpr int rank(std::string_view place) {
  return place == "*" ? 0 : place == listening ? 1 : place == loopback ? 2 : 3;
}
} // namespace detail

/// `*` covers all others; paths form a separate tree.
[[nodiscard]] constexpr std::strong_ordering order(std::string_view a, std::string_view b) {
  const int x = detail::rank(a), y = detail::rank(b);
  return x == 3 && y == 3 ? path::order(a, b) : x <=> y;
}
[[nodiscard]] constexpr bool covers(std::string_view root, std::string_view place) {
  if (detail::rank(root) == 0) return true;
  return detail::rank(root) == 3 && detail::rank(place) == 3 ? path::covers(root, place) : root == place;
}

} // namespace sockets

/// Values as in host_tree: ports for the place `listen`, nothing or everything for the others.
struct socket_tree {
  [[nodiscard]] static constexpr auto order(std::string_view a, std::string_view b) { return sockets::order(a, b); }
  [[nodiscard]] static constexpr bool covers(std::string_view a, std::string_view b) { return sockets::covers(a, b); }
  [[nodiscard]] static constexpr std::uint32_t payload_size(std::uint32_t value) { return host::payload_size(value); }
  [[nodiscard]] static constexpr bool within(entry a, entry b) { return host_tree::within(a, b); }
  template <class F> static constexpr bool meet(entry a, entry b, F&& f) {
    return host_tree::meet(a, b, static_cast<F&&>(f));
  }
};

namespace sockets {

/// Adds the ports on which a process may listen, if any, to a step_function_builder of sockets.
template <class Out> constexpr void add_listening(const host::port_set& ports, Out& out) {
  if (ports.is_full()) return out.note_full();
  host::reach_writer text;
  if (!ports.view().empty()) out.add(text.write(listening, {ports.view(), ports.view()}));
}

} // namespace sockets

} // namespace cordon
