// SPDX-License-Identifier: BSL-1.0
/// The canonical form of the hosts axis: the fewest patterns with the same meaning.
///
/// No pattern is covered by another one. `=d` with `*.d` becomes d, two halves of a prefix become the prefix, and
/// adjacent port ranges become one. A fully denied pattern is left out, and so is a denial that matches no allowed
/// host.
#pragma once

#include "block_words.hpp"
#include "host_axis.hpp"
#include "set.hpp"

namespace cordon {

namespace host {

/// Calls `f(pattern)` with the patterns of a union of patterns, until f returns false. Returns: true if it never did.
template <class F> constexpr bool each_word(step_function<host_tree> of, F&& f) {
  return each_name_word(of, f) && each_block_word(of, f);
}

namespace detail {

[[nodiscard]] constexpr ports allowed_at(step_function<host_tree> f, std::string_view place) {
  return port_grant_of(f.at(f.find(place))).allowed;
}

/// True if the union allows everything that the pattern allows.
[[nodiscard]] constexpr bool entry_implies(step_function<host_tree> f, const pattern& p) {
  port_set wanted;
  wanted.add(p.ports);
  const auto says = [&](std::string_view place) { return within(wanted.view(), allowed_at(f, place)); };
  switch (p.shape) {
  case shape::every: return says(every_name);
  case shape::below: return says(p.name.view());
  case shape::tree: return says(p.name.view()) && says(exact_place(p.name.view()).view());
  case shape::exact: return says(exact_place(p.name.view()).view());
  case shape::block: break;
  }
  return each_elementary_range(function_set<1>{f}, p.block,
                               [&](const elementary_range&, const deciding_entries<1>& in) {
                                 return within(wanted.view(), port_grant_of(f.at(in[0])).allowed);
                               });
}

/// True if the union allows anything that the pattern allows.
[[nodiscard]] constexpr bool says_any(step_function<host_tree> f, const pattern& p) {
  port_set wanted;
  wanted.add(p.ports);
  const auto says = [&](std::uint32_t i) { return meets(wanted.view(), port_grant_of(f.at(i)).allowed); };
  if (p.shape == shape::exact) return says(f.find(exact_place(p.name.view()).view()));
  if (p.shape == shape::block)
    return !each_elementary_range(function_set<1>{f}, p.block,
                                  [&](const elementary_range&, const deciding_entries<1>& in) { return !says(in[0]); });
  const std::string_view root = p.shape == shape::every ? every_name : p.name.view();
  if (says(f.find(root))) return true;
  for (std::uint32_t i = f.upper_bound(root); i != f.size() && covers(root, f.place(i)); ++i) {
    const bool apex = is_exact(f.place(i)) && name_of(f.place(i)) == root;
    if (!(apex && p.shape == shape::below) && says(i)) return true;
  }
  return false;
}

} // namespace detail
} // namespace host

/// Calls `f(is_denied, text)` with each pattern of the canonical form, in any order. No call if no host is allowed; `*`
/// and both families of addresses if every host is allowed. `Storage` is for intermediate results and must be as large
/// as that of the lists. Returns: `policy_too_large` if it is full.
template <class Storage, class F> constexpr diagnostic each_canonical_pattern(const host_axis& h, F&& f) {
  if (h.is_any()) { // the general algorithm would visit every special range of both families
    for (const std::string_view every : {"*", "0.0.0.0/0", "[::]/0"}) f(false, every);
    return {};
  }
  const step_function<host_tree> denied = h.denied.as<host_tree>();
  host_set<Storage> kept;
  host::each_word(h.allowed, [&](const host::pattern& p) {
    if (!host::detail::entry_implies(denied, p)) kept.add(p);
    return true;
  });
  if (const diagnostic d = kept.close(); d.code != diagnostic_code::ok) return d;
  host::each_word(denied, [&](const host::pattern& p) {
    if (host::detail::says_any(kept.view(), p)) f(true, host::text_of(p).view());
    return true;
  });
  host::each_word(kept.view(), [&](const host::pattern& p) {
    f(false, host::text_of(p).view());
    return true;
  });
  return {};
}

} // namespace cordon
