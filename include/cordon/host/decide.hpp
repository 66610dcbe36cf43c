// SPDX-License-Identifier: BSL-1.0
/// Verdicts on hosts: by name when a program requests one, and by address after its name is resolved.
#pragma once

#include "host_axis.hpp"
#include "name_words.hpp"
#include "requested_host.hpp"

#include <array>
#include <span>
#include <string_view>

namespace cordon::host {

/// What a policy answers about a host.
enum class ruling : std::uint8_t { allow, refuse, malformed };

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 3> ruling_names{"allow", "refuse", "malformed"};
/// Returns: the name of the ruling.
[[nodiscard]] constexpr std::string_view name(ruling e) { return ruling_names[static_cast<std::size_t>(e)]; }

/// The cause of a verdict.
enum class cause : std::uint8_t {
  pattern,    ///< a pattern: the clause
  unlisted,   ///< no allowed pattern covers the host with that port
  scheme,     ///< a URL that is neither http nor https
  unreadable, ///< the requested host is malformed
  special,    ///< the address needs a pattern with an address
  own,        ///< the same: the address is the machine's own
  localhost,  ///< localhost resolved to an address other than loopback
};

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 7> cause_names{"pattern", "unlisted", "scheme",   "unreadable",
                                                             "special", "own",      "localhost"};
/// Returns: the name of the cause.
[[nodiscard]] constexpr std::string_view name(cause e) { return cause_names[static_cast<std::size_t>(e)]; }

/// `clause` is the deciding pattern, a denied one with `!` before it. It is empty if no pattern decides, or if every
/// host is allowed.
struct decision {
  host::ruling ruling = host::ruling::malformed; ///< the answer
  host::cause cause = host::cause::unreadable;   ///< why it is that answer
  pattern_text clause{};                         ///< the pattern that decided

  [[nodiscard]] constexpr bool allowed() const { return ruling == host::ruling::allow; } ///< Is the host allowed?
};

namespace detail {

/// The widest pattern of a union that covers the place with that port; there must be one. Empty if it is every host.
[[nodiscard]] constexpr pattern_text deciding(step_function<host_tree> of, std::string_view place, std::uint16_t port) {
  const auto allowed = [&](std::uint32_t i) { return port_grant_of(of.at(i)).allowed; };
  std::uint32_t best = of.find(place);
  while (of.parent(best) != no_slot && allowed(of.parent(best)).contains(port)) best = of.parent(best);
  const std::string_view root = of.place(best);
  pattern found;
  if (root == everything) return {};
  if (!is_name_place(root)) {
    if (is_block(root)) {
      found.shape = shape::block;
      found.block = block_of(root);
    }
    each_missing(allowed(best), allowed(of.parent(best)), [&](port_range r) {
      found.ports = r;
      return !r.contains(port);
    });
    return text_of(found);
  }
  const bool apex = is_exact(place) && name_of(place) == name_of(root);
  const bool behind_tree = is_exact(root) && best != 0 && of.place(best - 1) == name_of(root);
  each_name_word(of, behind_tree ? best - 1 : best, [&](const pattern& p) {
    if (!p.ports.contains(port) || p.shape == (apex ? shape::below : shape::exact)) return true;
    found = p;
    return false;
  });
  return text_of(found);
}

[[nodiscard]] constexpr bool says(step_function<host_tree> f, std::string_view place, std::uint16_t port) {
  return port_grant_of(f.at(f.find(place))).allowed.contains(port);
}
[[nodiscard]] constexpr bool names(step_function<host_tree> f, std::string_view place, std::uint16_t port) {
  return port_grant_of(f.at(f.find(place))).named.contains(port);
}

[[nodiscard]] constexpr decision refuse_by(step_function<host_tree> denied, std::string_view place,
                                           std::uint16_t port) {
  decision v{ruling::refuse, cause::pattern, {}};
  v.clause.add('!');
  v.clause.add(deciding(denied, place, port).view());
  return v;
}

/// An address and, if it embeds an IPv4 address, that one too.
struct equivalent_addresses {
  std::array<address, 2> forms{};
  std::size_t size = 1;

  constexpr explicit equivalent_addresses(const address& a) : forms{unmapped(a)} {
    if (embeds(forms[0], forms[1])) size = 2;
  }
  template <class F> [[nodiscard]] constexpr bool any(F&& f) const { return f(forms[0]) || (size == 2 && f(forms[1])); }
};

[[nodiscard]] constexpr bool is_localhost(const requested_host& q) {
  return !q.is_address && (q.name.view() == "localhost" || q.name.view().ends_with(".localhost"));
}

} // namespace detail

/// The verdict on a host that a program requests. `may_dial` later judges the address that the name resolves to. O(log
/// n + depth).
[[nodiscard]] constexpr decision decide(const host_axis& h, const requested_host& q) {
  if (q.how == asking::malformed) return {};
  if (q.how == asking::other_scheme) return {ruling::refuse, cause::scheme, {}};
  const place_text place = q.place();
  const step_function<host_tree> denied = h.denied.as<host_tree>();
  if (detail::says(denied, place.view(), q.port)) return detail::refuse_by(denied, place.view(), q.port);
  if (!detail::says(h.allowed, place.view(), q.port)) return {ruling::refuse, cause::unlisted, {}};
  return {ruling::allow, cause::pattern, detail::deciding(h.allowed, place.view(), q.port)};
}

/// The verdict on a connection from a gateway to address `to`, to which the requested host resolved. For a requested
/// address, `to` is the same address. `own` are the machine's own addresses. Each address of a DNS answer is judged
/// separately. O(log n + depth + own).
[[nodiscard]] constexpr decision may_dial(const host_axis& h, const requested_host& q, const address& to,
                                          std::span<const address> own) {
  const decision by_name = decide(h, q);
  if (!by_name.allowed()) return by_name;
  const step_function<host_tree> denied = h.denied.as<host_tree>();
  const detail::equivalent_addresses forms(to);
  for (std::size_t i = 0; i < forms.size; ++i) {
    const place_text place = place_of(forms.forms[i]);
    if (detail::says(denied, place.view(), q.port)) return detail::refuse_by(denied, place.view(), q.port);
  }
  const bool local = detail::is_localhost(q);
  if (local && !is_loopback(forms.forms[0])) return {ruling::refuse, cause::localhost, {}};
  if (local && detail::names(h.allowed, q.place().view(), q.port)) return by_name;
  const bool special = is_special(forms.forms[0]);
  const bool mine = forms.any([&](const address& a) {
    for (const address& o : own)
      if (unmapped(o) == a) return true;
    return false;
  });
  const bool named = forms.any([&](const address& a) { return detail::names(h.allowed, place_of(a).view(), q.port); });
  if ((special || mine) && !named) return {ruling::refuse, special ? cause::special : cause::own, {}};
  return by_name;
}

} // namespace cordon::host
