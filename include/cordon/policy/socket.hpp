// SPDX-License-Identifier: BSL-1.0
/// The sockets axis: sockets among the processes of a run, ports on which a process may listen, the loopback network,
/// unix sockets by path. none < own < any.
#pragma once

#include "../host/tree.hpp"
#include "path.hpp"

namespace cordon {

namespace sockets {

/// TCP, UDP and unix sockets among the processes of a run, in a network of their own.
inline constexpr std::string_view own = "own";
inline constexpr std::string_view listening = "listen"; ///< the place whose value is a set of ports
/// The place of the loopback interface.
inline constexpr std::string_view loopback = "loopback";

namespace detail {
inline constexpr int a_path = 4;
[[nodiscard]] constexpr int rank(std::string_view place) {
  return place == "*" ? 0 : place == own ? 1 : place == listening ? 2 : place == loopback ? 3 : a_path;
}
} // namespace detail

/// `*` covers all others; paths form a separate tree.
[[nodiscard]] constexpr std::strong_ordering order(std::string_view a, std::string_view b) {
  const int x = detail::rank(a), y = detail::rank(b);
  return x == detail::a_path && y == detail::a_path ? path::order(a, b) : x <=> y;
}
/// Is the second place the first one or beneath it?
[[nodiscard]] constexpr bool covers(std::string_view root, std::string_view place) {
  if (detail::rank(root) == 0) return true;
  const bool are_paths = detail::rank(root) == detail::a_path && detail::rank(place) == detail::a_path;
  return are_paths ? path::covers(root, place) : root == place;
}

} // namespace sockets

/// Values as in host_tree: ports for the place `listen`, nothing or everything for the others.
struct socket_tree {
  /// The order of the walk.
  [[nodiscard]] static constexpr auto order(std::string_view a, std::string_view b) { return sockets::order(a, b); }
  /// Is the second socket the first one or beneath it?
  [[nodiscard]] static constexpr bool covers(std::string_view a, std::string_view b) { return sockets::covers(a, b); }
  /// Bytes of text after the place of a slot with that value.
  [[nodiscard]] static constexpr std::uint32_t payload_size(std::uint32_t value) { return host::payload_size(value); }
  /// Does the first entry allow no more than the second?
  [[nodiscard]] static constexpr bool within(entry a, entry b) { return host_tree::within(a, b); }
  /// Calls `f` with what both entries allow.
  template <class F> static constexpr bool meet(entry a, entry b, F&& f) {
    return host_tree::meet(a, b, static_cast<F&&>(f));
  }
};

namespace sockets {

/// Adds the ports on which a process may listen, if any, to a step_function_builder of sockets.
template <class Out> constexpr void add_listening(const host::port_set& ports, Out& out) {
  if (ports.is_full()) return out.note_full();
  host::port_grant_writer text;
  if (!ports.view().empty()) out.add(text.write(listening, {ports.view(), ports.view()}));
}

} // namespace sockets

} // namespace cordon
