// SPDX-License-Identifier: BSL-1.0
/// Seatbelt: a policy as the text of a macOS sandbox profile.
///
/// Apple documents neither the language nor the precedence of rules. So a profile avoids everything on which the known
/// answers differ. It starts from (deny default) and names only single operations. At each path it states only what
/// changes from the path above, parents before children, and no operation twice. The last rule that matches is then
/// also the most specific one. Every rule that allows has a filter.
#pragma once

#include "floor.hpp"
#include "seatbelt/compile.hpp"
#include "seatbelt/write.hpp"

#include <span>

namespace cordon::seatbelt {

inline constexpr std::string_view backend_name = "seatbelt"; ///< the name on the command line, and in IDs of gaps

/// Compiles files, spawn, hosts and sockets. O(n log n) in the entries and in the path components above them.
template <class S> [[nodiscard]] constexpr plan<rules<S>> compile(const basic_policy<S>& p, const target& t = {}) {
  plan<rules<S>> made;
  made.rules.private_links = t.private_links;
  made.rules.fork = allows(p, process_feature::spawn);
  const bool lists_root = rights::from_bits(p.files().lookup("/")).has(right::list);
  bool fits = lists_root || made.gaps.add(gaps::root_listing, "/");
  constexpr rights seen = right::read | right::list;
  for (const std::string_view place : system_places)
    if ((seen - floor_at(p.files(), place)) != rights()) fits = made.gaps.add(gaps::system, place) && fits;
  bool creates = false;
  for (std::uint32_t i = 0; i < p.files().size(); ++i)
    creates = creates || rights::from_bits(p.files()[i].value).has(right::create);
  if (creates) fits = made.gaps.add(gaps::links) && fits;
  detail::compiler<S> files(p, made);
  if (!fits || !files.write_files(t.private_links) || !detail::write_network(p, t, made))
    made.error = {diagnostic_code::policy_too_large};
  return made;
}

/// The backend as a type, for `backends`.
struct backend {
  static constexpr std::string_view name = backend_name; ///< the name of the backend
  using target = seatbelt::target;                       ///< what the rules are compiled for
  /// The types of gaps that its plans can have.
  [[nodiscard]] static constexpr std::span<const gap_type> gap_types() { return seatbelt::gap_types; }
  static constexpr std::uint32_t most_ports = seatbelt::most_ports; ///< ports that one profile can list
  /// Targets whose rules differ.
  static constexpr named_target<seatbelt::target> targets[]{{"macos", {}}, {"macos-gateway", {.gateway_port = 3128}}};
};

} // namespace cordon::seatbelt
