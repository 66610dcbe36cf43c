// SPDX-License-Identifier: BSL-1.0
/// AppContainer: a policy as the capabilities, access control lists, token and job object of a Windows container.
///
/// A container reaches the files that its SID is granted, and the network that its capabilities name. Entries of an
/// access control list apply to everything beneath. A list that inherits nothing gives a path fewer rights.
#pragma once

#include "appcontainer/acls.hpp"
#include "appcontainer/text.hpp"

#include <span>

namespace cordon::appcontainer {

inline constexpr std::string_view backend_name = "appcontainer"; ///< the name on the command line, and in IDs of gaps

namespace detail {

/// Returns the limit in whole multiples of `unit`, at least 1, or 0 if there is no limit.
[[nodiscard]] constexpr std::uint64_t units(const limits& l, limit which, std::uint64_t unit) {
  if (!l.has(which)) return 0;
  return l[which] < unit ? 1 : l[which] / unit;
}

[[nodiscard]] constexpr job job_of(const plain_axes& p) {
  constexpr std::uint32_t most = 0xFFFF'FFFF;
  const std::uint64_t processes = p.abilities.has(ability::spawn) ? units(p.limits, limit::processes, 1) : 1;
  return {units(p.limits, limit::memory, 1), units(p.limits, limit::cpu, 100),
          processes > most ? most : static_cast<std::uint32_t>(processes)};
}

/// Is there a limit that neither the job object nor cordon itself enforces?
[[nodiscard]] constexpr bool has_limit_without_field(const limits& wanted) {
  for (const limit_row& l : limit_table)
    if (wanted.has(l.which) && !l.by_cordon && !job::can_hold(l.which)) return true;
  return false;
}

/// Capabilities open all hosts or none; the capability for incoming connections opens outgoing ones too.
template <class S> constexpr bool compile_network(const basic_policy<S>& p, const target& t, plan<rules<S>>& made) {
  rules<S>& r = made.rules;
  bool fits = true;
  const auto gap = [&](const gap_type& about) { fits = made.gaps.add(about) && fits; };
  const auto wanted = [&](process_feature f) { return allows(p, f); };
  r.server = wanted(process_feature::any_host) && wanted(process_feature::any_port);
  r.internet = wanted(process_feature::any_host) && !r.server;
  r.gateway = t.gateway && wanted(process_feature::some_host) && !wanted(process_feature::any_host);
  r.loopback = t.loopback && wanted(process_feature::loopback);
  if (wanted(process_feature::some_host) && !wanted(process_feature::any_host) && !r.gateway) gap(gaps::hosts);
  if (wanted(process_feature::listen) && !r.server) gap(gaps::listen);
  if (wanted(process_feature::loopback) && !r.loopback) gap(gaps::loopback);
  if (wanted(process_feature::own_sockets)) gap(gaps::own);
  if (r.internet) gap(gaps::private_hosts);
  return fits;
}

} // namespace detail

/// Compiles the policy. O(n log n) in the entries, and in the path components above paths that must not be removed.
/// Errors: `bad_path` for a path that has no Windows name and must have fewer rights than the path above,
/// `duplicate_place` for paths that differ only in case, `policy_too_large`.
template <class S> [[nodiscard]] constexpr plan<rules<S>> compile(const basic_policy<S>& p, const target& t = {}) {
  plan<rules<S>> made;
  made.rules.made_for = t;
  made.rules.spawn = p.abilities.has(ability::spawn);
  made.rules.job = detail::job_of(p.plain());
  bool fits = detail::compile_network(p, t, made);
  if (!t.less_privileged) fits = made.gaps.add(gaps::packages) && fits;
  if (detail::has_limit_without_field(p.limits)) fits = made.gaps.add(gaps::limits) && fits;
  fits = made.gaps.add(gaps::owner) && fits;
  made.error = detail::acl_compiler<S>(p, made).run();
  if (!fits && made.error.code == diagnostic_code::ok) made.error = {diagnostic_code::policy_too_large};
  return made;
}

/// The backend as a type, for `backends`.
struct backend {
  static constexpr std::string_view name = backend_name; ///< the name of the backend
  using target = appcontainer::target;                   ///< what the rules are compiled for
  /// The types of gaps that its plans can have.
  [[nodiscard]] static constexpr std::span<const gap_type> gap_types() { return appcontainer::gap_types; }
  /// Targets whose rules differ.
  static constexpr named_target<appcontainer::target> targets[]{
      {"drive-c", {.drive = 'C'}}, {"drives", {}}, {"all-packages", {.drive = 'C', .less_privileged = false}}};
};

} // namespace cordon::appcontainer
