// SPDX-License-Identifier: BSL-1.0
/// Policies written in C++: `constexpr policy p = policy_of({can_run("/usr"), can_write("/srv/app"), passes("PATH"),
/// can_connect("*.example.com:443")});`
/// A clause states what is allowed. The order of clauses does not matter. A path or name given twice, or an invalid
/// path, host, port or name, stops the build. Files, hosts, sockets, abilities and environment variables that no clause
/// names are not allowed.
#pragma once

#include "../host/parse.hpp"
#include "../host/set.hpp"
#include "policy.hpp"

#include <initializer_list>

namespace cordon {

/// One statement of a policy: an entry of a part (a grant applies to both path axes), or abilities.
struct clause {
  axis_id axis{};
  entry what{};
  cordon::abilities abilities{};
  host::pattern pattern{}; ///< parsed; only for the parts of the hosts axis
};

namespace dsl {

/// Grants rights on an absolute path in normal form and on everything beneath it.
consteval clause grant(std::string_view place, rights r) {
  if (!path::is_normal(place)) cordon::detail::a_path_must_be_absolute_and_in_normal_form();
  return {axis_id::files, {place, r.bits(), {}}, {}};
}
consteval clause can_read(std::string_view place) { return grant(place, verb::read); }
consteval clause can_run(std::string_view place) { return grant(place, verb::run); }
consteval clause can_write(std::string_view place) { return grant(place, verb::write); }
consteval clause hidden(std::string_view place) { return grant(place, verb::hide); }

/// A host pattern: `example.com`, `*.example.com:443`, `10.0.0.0/8`, ... Host names must be ASCII.
consteval clause can_connect(std::string_view pattern) {
  const clause c{axis_id::hosts, {pattern, 1, {}}, {}, host::parse(pattern)};
  if (!c.pattern) cordon::detail::a_host_pattern_must_be_valid();
  return c;
}
/// Takes precedence over can_connect. Without a can_connect clause it allows no host.
consteval clause cannot_connect(std::string_view pattern) {
  clause c = can_connect(pattern);
  c.axis = axis_id::denied_hosts;
  return c;
}

/// Ports on which a process may listen: `8080` or `8000-8999`.
consteval clause can_listen(std::string_view ports) {
  host::port_range r;
  if (!host::parse_ports(ports, r)) cordon::detail::ports_must_be_a_number_or_a_range();
  return {axis_id::sockets, {sockets::listening, 1, ports}, {}};
}
consteval clause can_use_loopback() { return {axis_id::sockets, {sockets::loopback, 1, {}}, {}}; }
consteval clause can_use_socket(std::string_view place) {
  if (!path::is_normal(place)) cordon::detail::a_path_must_be_absolute_and_in_normal_form();
  return {axis_id::sockets, {place, 1, {}}, {}};
}

consteval clause can_use(ability a) { return {{}, {}, a}; }
/// Denies a system call by its Linux name; the rest of the baseline stays allowed.
consteval clause cannot_call(std::string_view name) { return {axis_id::calls, {name, 0, {}}, {}}; }

/// An environment variable, or with `PREFIX*` all whose names start with PREFIX.
consteval clause passes(std::string_view name) {
  if (!names::is_place(name) || !variable::is_name(name)) cordon::detail::a_variable_must_have_a_name();
  return {axis_id::environment, {name, variable::passes, {}}, {}};
}
consteval clause sets(std::string_view name, std::string_view content) {
  if (!variable::is_name(name) || names::is_prefix(name)) cordon::detail::a_variable_must_have_a_name();
  return {axis_id::environment, {name, variable::set(content.size()), content}, {}};
}

/// A program by its name in PATH, or by its path. With such a clause, no other program may be started.
consteval clause can_start(std::string_view program) { return {axis_id::executables, {program, 1, {}}, {}}; }

} // namespace dsl

namespace detail {

[[nodiscard]] constexpr std::uint32_t bit(axis_id p) { return 1U << static_cast<unsigned>(p); }

/// A grant applies to both path axes.
[[nodiscard]] constexpr axis_id said_by(axis_id p) { return p == axis_id::workspace ? axis_id::files : p; }

/// The parts that clauses name.
[[nodiscard]] constexpr std::uint32_t parts_of(std::initializer_list<clause> clauses) {
  std::uint32_t parts = 0;
  for (const clause& c : clauses)
    if (c.abilities.bits() == 0) parts |= bit(c.axis);
  return parts;
}

template <axis_id P, class Out> constexpr void write_clauses(std::initializer_list<clause> clauses, Out& out) {
  for (const clause& c : clauses)
    if (c.axis == said_by(P) && c.abilities.bits() == 0) out.add(c.what);
}

template <axis_id P, class Tree, class Storage>
constexpr void write_patterns(std::initializer_list<clause> clauses, step_function_builder<Tree, Storage>& out) {
  host_set<Storage> all;
  for (const clause& c : clauses)
    if (c.axis == P) all.add(c.pattern);
  if (all.close().code != errc::ok) return out.note_full();
  out.add_all(all.view().template as<Tree>());
}

template <class Out> constexpr void write_sockets(std::initializer_list<clause> clauses, Out& out) {
  host::port_set ports;
  for (const clause& c : clauses)
    if (host::port_range r; c.axis == axis_id::sockets && c.what.place == sockets::listening) {
      if (host::parse_ports(c.what.payload, r)) ports.add(r);
    } else if (c.axis == axis_id::sockets) out.add(c.what);
  sockets::add_listening(ports, out);
}

} // namespace detail

/// The policy of these clauses. Processes may be started; they and the host's own tools get the granted rights. If a
/// clause names a host, processes may connect to the allowed hosts. Programs and system calls that no clause names are
/// allowed, but one can_start clause denies all other programs.
template <class Policy = policy> [[nodiscard]] constexpr Policy policy_of(std::initializer_list<clause> clauses) {
  Policy p;
  const std::uint32_t named = detail::parts_of(clauses);
  p.level = (named & detail::bit(axis_id::hosts)) != 0 ? level::network : level::process_exec;
  p.interpreters = true;
  for (const clause& c : clauses) p.abilities = p.abilities | c.abilities;
  detail::each_part([&]<axis_id P>() {
    constexpr bool open = P == axis_id::calls || P == axis_id::capabilities || P == axis_id::executables;
    const bool is_named = (named & detail::bit(detail::said_by(P))) != 0;
    if (!is_named && !open) return true;
    if (P == axis_id::files) return p.share_paths(), true; // a grant applies to both path axes
    const diagnostic d = !is_named ? p.template write_any<P>() : p.template write<P>([&](auto& out) {
      if constexpr (open && P != axis_id::executables) out.add(everything<P>());
      if constexpr (is_of_hosts(P)) detail::write_patterns<P>(clauses, out);
      else if constexpr (P == axis_id::sockets) detail::write_sockets(clauses, out);
      else if constexpr (P != axis_id::capabilities) detail::write_clauses<P>(clauses, out);
    });
    if (d.code == errc::duplicate_place) detail::a_place_is_granted_twice();
    if (d.code != errc::ok) detail::this_policy_holds_more_than_its_storage();
    return true;
  });
  return p;
}

} // namespace cordon
