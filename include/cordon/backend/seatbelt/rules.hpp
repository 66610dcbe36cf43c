// SPDX-License-Identifier: BSL-1.0
/// The rules of a sandbox profile, and the interpreter that returns what macOS permits under them.
#pragma once

#include "../../query/query.hpp"
#include "default_rules.hpp"
#include "operations.hpp"
#include "spelling.hpp"

#include <bit>

namespace cordon::seatbelt {

/// What the profile is compiled for.
struct target {
  std::uint16_t gateway_port = 0; ///< the port on localhost of the gateway for listed hosts; 0: no gateway
  bool private_links = true;      ///< /etc, /tmp and /var are symbolic links into /private, as on every Mac
};

/// Profiles list ports one by one, and compiling one takes time quadratic in its rules: 1000 take 0.04 s, 16384 take 10
/// s or fail (measured on macOS 26).
inline constexpr std::uint32_t most_ports = 1024;

/// Until the end of `compile`, a value holds all allowed operations. Then it is `allowed | denied << denied_shift`:
/// what the rule at that path adds to and removes from the rules above it.
inline constexpr unsigned denied_shift = static_cast<unsigned>(std::bit_width(all_operations));

/// Rules in the order of the profile, parents before children. So the last rule that matches is also the most specific
/// one, whichever of the two macOS uses. No path has two rules about one operation.
template <class Storage_> struct rules {
  using storage = Storage_; ///< what holds the lists
  Storage_ places{};        ///< path -> what the rule changes, for the place and everything beneath it
  Storage_ fences{}; ///< directories that may not be renamed: denials of exactly this path, after all of `places`
  Storage_ ports{};  ///< ranges of ports to listen on, `first << 16 | last`
  bool private_links = true; ///< /etc, /tmp and /var are symbolic links into /private
  bool fork = false;         ///< may start processes
  bool any_port = false;     ///< may use every port
  bool any_host = false;     ///< may reach every host
  bool loopback = false;     ///< any port of this host
  std::uint16_t gateway = 0; ///< this port of this host; 0: no gateway

  /// A list of the rules as a step function.
  [[nodiscard]] static constexpr step_function<path_tree> view(const Storage_& s) {
    return {s.all_slots(), s.size(), s.text()};
  }
  /// Calls `f(list)` for each list of the rules, so that a proof can drop an entry.
  template <class Rules, class F> static constexpr void each_list(Rules& r, F&& f) {
    f(r.places), f(r.fences), f(r.ports);
  }
  /// Calls `f(loosen)` for each rule that is no list. `loosen()` drops that rule: a proof must notice.
  template <class F> constexpr void each_switch(F&& f) {
    for (bool rules::*const one : {&rules::fork, &rules::any_port, &rules::any_host, &rules::loopback})
      if (this->*one) f([&] { this->*one = false; });
    if (gateway != 0) f([&] { gateway = 0; });
  }
};

namespace detail {

/// Returns the decision of the last rule that matches. All rules that match are on one path to the root. O(log n +
/// depth).
template <class S> [[nodiscard]] constexpr bool last_match(const rules<S>& r, std::uint32_t what, std::string_view at) {
  const auto places = r.view(r.places);
  for (std::uint32_t i = places.find(at); i != no_slot; i = places.parent(i)) {
    if ((places[i].value & what) != 0) return true;
    if ((places[i].value >> denied_shift & what) != 0) return false;
  }
  return false;
}

template <class S> [[nodiscard]] constexpr bool is_fence(const rules<S>& r, std::string_view place) {
  const auto fences = r.view(r.fences);
  const std::uint32_t i = fences.find(place);
  return i != no_slot && fences.place(i) == place;
}

/// Returns whether a connection to that port may be opened, on this host (`local`) or on another.
template <class S> [[nodiscard]] constexpr bool connects(const rules<S>& r, bool local, std::uint32_t port) {
  bool answer = r.any_host;                               // (allow (remote ip "*:*"))
  if (local && r.any_host && !r.loopback) answer = false; // (deny (remote ip "localhost:*"))
  if (local && r.loopback) answer = true;                 // (allow (remote ip "localhost:*"))
  if (local && r.gateway != 0 && port == r.gateway) answer = true;
  return answer;
}

} // namespace detail

/// Returns whether macOS allows the operation at the path under these rules. O(log n + depth).
template <class S> [[nodiscard]] constexpr bool permits(const rules<S>& r, right what, std::string_view place) {
  if (what == right::list && place == "/") return true;
  if ((rights(what).bits() & system_operations) != 0 && is_of_system(place)) return true;
  if (what == right::remove && detail::is_fence(r, place)) return false;
  return detail::last_match(r, rights(what).bits(), place);
}

/// May a process under the rules do this?
template <class S> [[nodiscard]] constexpr bool permits(const rules<S>& r, process_feature which) {
  switch (which) {
  case process_feature::spawn: return r.fork;
  case process_feature::any_host: return detail::connects(r, false, 443);
  case process_feature::some_host:
    return detail::connects(r, false, 443) || (r.gateway != 0 && detail::connects(r, true, r.gateway));
  case process_feature::listen: return r.any_port || r.ports.size() != 0;
  case process_feature::any_port: return r.any_port;
  case process_feature::loopback: return detail::connects(r, true, r.gateway == 80 ? 81 : 80);
  case process_feature::own_sockets: break;
  }
  return false;
}

/// Calls `f(directory, moves)` for each directory above a path that may not be renamed: renaming the directory would
/// take the path out of its rule. O(components * log n).
template <class S, class F> constexpr void each_guarded_ancestor(const rules<S>& r, F&& f) {
  const auto places = r.view(r.places);
  for (std::uint32_t i = 0; i < places.size(); ++i) {
    if (places[i].value == 0 || detail::last_match(r, rights(right::remove).bits(), places.place(i))) continue;
    for (std::string_view dir = path::parent(places.place(i)); dir != "/"; dir = path::parent(dir))
      f(dir, permits(r, right::remove, dir));
  }
}

/// Returns the other name of the path on a Mac, or an empty text.
template <class S> [[nodiscard]] constexpr other_spelling other_name(const rules<S>& r, std::string_view place) {
  return other_spelling(r.private_links ? place : std::string_view());
}

/// Returns whether the process may listen on that port. O(ports).
template <class S> [[nodiscard]] constexpr bool listens(const rules<S>& r, std::uint16_t port) {
  for (std::uint32_t i = 0; i < r.ports.size(); ++i)
    if (const std::uint32_t range = r.ports.all_slots()[i].value; port >= range >> 16 && port <= (range & 0xFFFF))
      return true;
  return r.any_port;
}

/// Calls `f(place)` for every path at which the rules may change. O(n).
template <class S, class F> constexpr void each_place(const rules<S>& r, F&& f) {
  const auto places = r.view(r.places), fences = r.view(r.fences);
  for (std::uint32_t i = 0; i < places.size(); ++i) f(places.place(i));
  for (std::uint32_t i = 0; i < fences.size(); ++i) f(fences.place(i));
  for (const std::string_view s : system_places) f(s);
}

} // namespace cordon::seatbelt
