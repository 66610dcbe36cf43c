// SPDX-License-Identifier: BSL-1.0
/// What the mechanisms have in common that isolate a program by a view of mounts and by namespaces: cordon's own
/// launcher and bwrap.
#pragma once

#include "../../query/query.hpp"
#include "compile.hpp"
#include "rules.hpp"

namespace cordon::mounts {

/// The gap types of such a mechanism.
struct isolation_gaps {
  gap_set view;                    ///< gap types of the view
  const gap_type& spawn;           ///< processes can be started
  const gap_type& own;             ///< sockets of the run's own can be used
  const gap_type& host_network;    ///< the network is the machine's
  const gap_type& private_network; ///< the network is private
  const gap_type& hosts;           ///< hosts are not told apart
};

/// The rules of a view in namespaces of its own.
template <class S> struct isolation_rules : rules<S> {
  bool nests = false; ///< the program may create user namespaces
};

/// May a process under the rules use the ability?
template <class S> [[nodiscard]] constexpr bool permits(const isolation_rules<S>& r, ability which) {
  return r.nests && which == ability::namespaces;
}

namespace detail {

/// Adds the gaps of the network: the host's if any host may be reached, else a private one. Returns false if the gaps
/// are full.
template <class S, class Gaps>
[[nodiscard]] constexpr bool note_network(const basic_policy<S>& p, const isolation_gaps& gaps_of, bool gateway,
                                          Gaps& gaps) {
  const bool listen = allows(p, process_feature::listen);
  const bool any_port = allows(p, process_feature::any_port);
  const bool loopback = allows(p, process_feature::loopback);
  if (allows(p, process_feature::any_host)) return (listen && any_port && loopback) || gaps.add(gaps_of.host_network);
  bool fits = true;
  if (listen || any_port || loopback) fits = gaps.add(gaps_of.private_network);
  if (!gateway && allows(p, process_feature::some_host)) fits = gaps.add(gaps_of.hosts) && fits;
  return fits;
}

} // namespace detail

/// Compiles the view and `nests` of the rules, which derive from `isolation_rules`, and adds all gaps. `gateway`: one
/// lets the listed hosts through. `policy_too_large`: the storage is full. O(n log n) in the grants and in the path
/// components above paths inside writable ones.
template <class S, class Rules>
constexpr void compile_isolation(const basic_policy<S>& p, const isolation_gaps& gaps_of, bool gateway,
                                 plan_parts<Rules> made) {
  made.rules.nests = p.abilities.has(ability::namespaces);
  bool fits = compile(p.files(), gaps_of.view, made.rules.mounts, made.gaps);
  if (!allows(p, process_feature::spawn)) fits = made.gaps.add(gaps_of.spawn) && fits;
  if (!allows(p, process_feature::own_sockets)) fits = made.gaps.add(gaps_of.own) && fits;
  fits = detail::note_network(p, gaps_of, gateway, made.gaps) && fits;
  if (!fits) made.error = {diagnostic_code::policy_too_large};
}

} // namespace cordon::mounts
