// SPDX-License-Identifier: BSL-1.0
/// Queries on a policy, and verdicts: whether it allows an operation, and which clause decides. Every condition of a
/// query must hold. The verdict reports the first axis that refuses, in the order level, capabilities, the axis of the
/// query.
#pragma once

#include "../policy/capabilities.hpp"
#include "../policy/default_devices.hpp"
#include "../policy/policy.hpp"
#include "process_feature.hpp"

namespace cordon {

/// The answer to a query.
enum class ruling : std::uint8_t { allow, refuse, malformed };

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 3> ruling_names{"allow", "refuse", "malformed"};
/// Returns: the name of the ruling.
[[nodiscard]] constexpr std::string_view name(ruling a) { return ruling_names[static_cast<std::size_t>(a)]; }

/// A ruling and the clause that decided it. `clause` is the deciding entry of the axis. It is empty if no entry covers
/// the path or name, if the axis is *any*, and for a malformed query. Its texts lie in the policy, so that a query whose
/// clause has some does not compile for a temporary policy.
struct verdict {
  cordon::ruling ruling = ruling::malformed; ///< the answer
  cordon::axis axis{};                       ///< the axis that decided
  entry clause{};                            ///< the clause that decided; empty: none covers

  [[nodiscard]] constexpr bool allowed() const { return ruling == ruling::allow; } ///< Is it allowed?
};

namespace detail {

template <axis_id P, class S>
[[nodiscard]] constexpr verdict decide(const basic_policy<S>& p, std::string_view place, std::uint32_t wanted) {
  const auto v = p.template view<P>();
  const entry e = v.at(v.find(place));
  const bool allowed = wanted != 0 && (e.value & wanted) == wanted;
  return {allowed ? ruling::allow : ruling::refuse, axis_of(P), p.template is_any<P>() ? entry{} : e};
}

/// Checks the level, then the capability; returns `own` if both allow it.
template <class S>
[[nodiscard]] constexpr verdict gated(const basic_policy<S>& p, level needed, std::string_view capability,
                                      verdict own) {
  if (p.level < needed) return {ruling::refuse, axis::level, {name(p.level), 1, {}}};
  if (!capability.empty() && p.capabilities().lookup(capability) == 0)
    return {ruling::refuse, axis::capabilities, {capability, 0, {}}};
  return own;
}

} // namespace detail

/// May a spawned process use that right on an absolute path? `place` must be in normal form; the query does not resolve
/// symbolic links.
template <class S>
[[nodiscard]] constexpr verdict process_may(const basic_policy<S>& p, right r, std::string_view place) {
  if (!path::is_normal(place)) return {ruling::malformed, axis::files, {}};
  verdict own = detail::decide<axis_id::files>(p, place, rights(r).bits());
  for (const default_device& d : machine_devices)
    if (!own.allowed() && d.place == place && d.allowed.has(r)) own = {ruling::allow, axis::files, {}};
  return detail::gated(p, level::process_exec, capability::exec, own);
}
template <class S> verdict process_may(const basic_policy<S>&&, right, std::string_view) = delete;

/// May the host's own file tools use that right? They never run programs or connect to sockets.
template <class S>
[[nodiscard]] constexpr verdict host_tool_may(const basic_policy<S>& p, right r, std::string_view place) {
  if (!path::is_normal(place)) return {ruling::malformed, axis::workspace, {}};
  const verdict own = detail::decide<axis_id::workspace>(p, place, rights(r).bits());
  switch (r) {
  case right::read: return detail::gated(p, level::read_only, capability::read_text, own);
  case right::list: return detail::gated(p, level::read_only, capability::list, own);
  case right::write:
  case right::create:
  case right::attributes: return detail::gated(p, level::workspace_write, capability::write_text, own);
  case right::remove: return detail::gated(p, level::workspace_write, capability::remove, own);
  case right::run:
  case right::connect: break;
  }
  return {ruling::refuse, axis::workspace, own.clause};
}
template <class S> verdict host_tool_may(const basic_policy<S>&&, right, std::string_view) = delete;

/// Does the policy allow a capability of the host program? O(log n).
template <class S> [[nodiscard]] constexpr verdict has_capability(const basic_policy<S>& p, std::string_view which) {
  if (!capability::is_name(which)) return {ruling::malformed, axis::capabilities, {}};
  return detail::decide<axis_id::capabilities>(p, which, 1);
}
template <class S> verdict has_capability(const basic_policy<S>&&, std::string_view) = delete;

/// Does the policy allow a running program that feature?
template <class S> [[nodiscard]] constexpr bool allows(const basic_policy<S>& p, process_feature which) {
  const bool network = p.level == level::network, any_socket = p.template is_any<axis_id::sockets>();
  switch (which) {
  case process_feature::spawn: return p.abilities.has(ability::spawn);
  case process_feature::any_host: return network && p.template is_any<axis_id::hosts>();
  case process_feature::some_host: return network && !p.hosts().is_none();
  case process_feature::listen: return network && (any_socket || p.sockets().lookup(sockets::listening) != 0);
  case process_feature::any_port: return network && any_socket;
  case process_feature::loopback: return network && p.sockets().lookup(sockets::loopback) != 0;
  case process_feature::own_sockets: return p.level >= level::process_exec && p.sockets().lookup(sockets::own) != 0;
  }
  return false;
}

/// May a running program listen for connections or datagrams on that port? Port 0 means a port that the kernel chooses.
/// O(log n).
template <class S> [[nodiscard]] constexpr bool allows_port(const basic_policy<S>& p, std::uint16_t port) {
  if (!allows(p, process_feature::listen)) return false;
  const auto all = p.sockets();
  return allows(p, process_feature::any_port) ||
         (port != 0 && host::port_grant_of(all.at(all.find(sockets::listening))).allowed.contains(port));
}

/// Does the policy allow an ability, by its name?
template <class S> [[nodiscard]] constexpr verdict has_ability(const basic_policy<S>& p, std::string_view which) {
  ability a{};
  if (!from_name(ability_names, which, a)) return {ruling::malformed, axis::abilities, {}};
  return {p.abilities.has(a) ? ruling::allow : ruling::refuse, axis::abilities,
          p.abilities.has(a) && !p.abilities.is_any() ? entry{name(a), 1, {}} : entry{}};
}

/// Would a child have that environment variable, if its caller has it? The payload of the clause is the content that
/// the policy sets.
template <class S> [[nodiscard]] constexpr verdict has_variable(const basic_policy<S>& p, std::string_view which) {
  if (!variable::is_name(which)) return {ruling::malformed, axis::environment, {}};
  const auto v = p.environment();
  const entry e = v.at(v.find(which));
  return {e.value == variable::absent ? ruling::refuse : ruling::allow, axis::environment,
          p.template is_any<axis_id::environment>() ? entry{} : e};
}
template <class S> verdict has_variable(const basic_policy<S>&&, std::string_view) = delete;

} // namespace cordon
