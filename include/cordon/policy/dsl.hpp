// SPDX-License-Identifier: BSL-1.0
/// Policies written in C++: `constexpr policy p = policy_of({can_run("/usr"), can_write("/srv/app"), passes("PATH"),
/// can_connect("*.example.com:443")});`
/// A clause states what is allowed. The order of clauses does not matter. Files, hosts, sockets, abilities and
/// environment variables that no clause names are not allowed.
///
/// An invalid path, host, port or name stops the build if it is a constant or a string literal. So does a path or name
/// that a constant policy has twice. For values that are known at run time, `try_policy_of({can_write(dir),
/// can_connect(pattern)})` returns a policy or an error. `policy_of` stops the process instead.
///
/// For the compiler a `const char` array is a literal: for one that is filled at run time, pass a std::string_view.
#pragma once

#include "../host/set.hpp"
#include "clause.hpp"
#include "policy.hpp"

#include <initializer_list>
#include <type_traits>

namespace cordon {

namespace dsl {

namespace detail {

[[nodiscard]] constexpr clause one_of(axis_id axis, clause_function f, entry what) {
  return cordon::detail::checked({axis, what, {}, {}, f, diagnostic_code::ok, what.place},
                                 cordon::detail::is_argument(f, what.place));
}
[[nodiscard]] constexpr clause of_host(axis_id axis, clause_function f, std::string_view text) {
  const host::pattern p = host::parse(text);
  return cordon::detail::checked({axis, {text, 1, {}}, {}, p, f, diagnostic_code::ok, text}, static_cast<bool>(p));
}

} // namespace detail

/// Grants rights on an absolute path in normal form and on everything beneath it.
[[nodiscard]] constexpr clause grant(path_argument place, rights r) {
  return detail::one_of(axis_id::files, clause_function::grant, {place.text(), r.bits(), {}});
}
/// Lets processes read files and list directories there and beneath.
[[nodiscard]] constexpr clause can_read(path_argument place) {
  return detail::one_of(axis_id::files, clause_function::can_read, {place.text(), verb::read.bits(), {}});
}
/// The same as can_read, and execute.
[[nodiscard]] constexpr clause can_run(path_argument place) {
  return detail::one_of(axis_id::files, clause_function::can_run, {place.text(), verb::run.bits(), {}});
}
/// The same as can_run, and change, create and remove.
[[nodiscard]] constexpr clause can_write(path_argument place) {
  return detail::one_of(axis_id::files, clause_function::can_write, {place.text(), verb::write.bits(), {}});
}
/// Denies every right there and beneath, also within a grant.
[[nodiscard]] constexpr clause hidden(path_argument place) {
  return detail::one_of(axis_id::files, clause_function::hidden, {place.text(), verb::hide.bits(), {}});
}

/// A host pattern: `example.com`, `*.example.com:443`, `10.0.0.0/8`, ... Host names must be ASCII.
[[nodiscard]] constexpr clause can_connect(pattern_argument pattern) {
  return detail::of_host(axis_id::hosts, clause_function::can_connect, pattern.text());
}
/// Takes precedence over can_connect. Without a can_connect clause it allows no host.
[[nodiscard]] constexpr clause cannot_connect(pattern_argument pattern) {
  return detail::of_host(axis_id::denied_hosts, clause_function::cannot_connect, pattern.text());
}

/// Ports on which a process may listen: `8080` or `8000-8999`.
[[nodiscard]] constexpr clause can_listen(clause_argument<clause_function::can_listen> ports) {
  const bool right = cordon::detail::is_argument(clause_function::can_listen, ports.text());
  return cordon::detail::checked({axis_id::sockets,
                                  {sockets::listening, 1, ports.text()},
                                  {},
                                  {},
                                  clause_function::can_listen,
                                  diagnostic_code::ok,
                                  ports.text()},
                                 right);
}
/// Allows connections between processes of the run on the loopback interface.
[[nodiscard]] constexpr clause can_use_loopback() {
  return {axis_id::sockets, {sockets::loopback, 1, {}}, {}, {}, clause_function::can_use_loopback};
}
/// TCP, UDP and unix sockets among the processes of the run, which reach nothing outside.
[[nodiscard]] constexpr clause can_use_own_sockets() {
  return {axis_id::sockets, {sockets::own, 1, {}}, {}, {}, clause_function::can_use_own_sockets};
}
/// Allows unix sockets at a path and beneath.
[[nodiscard]] constexpr clause can_use_socket(path_argument place) {
  return detail::one_of(axis_id::sockets, clause_function::can_use_socket, {place.text(), 1, {}});
}

/// Allows the calls of an ability.
[[nodiscard]] constexpr clause can_use(ability a) {
  return {{}, {}, a, {}, clause_function::can_use, diagnostic_code::ok, name(a)};
}
/// Denies a system call by its Linux name; the rest of the baseline stays allowed.
[[nodiscard]] constexpr clause cannot_call(clause_argument<clause_function::cannot_call> call) {
  return detail::one_of(axis_id::calls, clause_function::cannot_call, {call.text(), 0, {}});
}

/// An environment variable, or with `PREFIX*` all whose names start with PREFIX.
[[nodiscard]] constexpr clause passes(clause_argument<clause_function::passes> variable_name) {
  return detail::one_of(axis_id::environment, clause_function::passes, {variable_name.text(), variable::passes, {}});
}
/// Sets an environment variable, whatever the caller has. The content must outlive the clause.
[[nodiscard]] constexpr clause sets(clause_argument<clause_function::sets> variable_name, std::string_view content) {
  clause c = detail::one_of(axis_id::environment, clause_function::sets,
                            {variable_name.text(), variable::set(content.size()), content});
  const bool right = content.find('\0') == content.npos;
  if (!right) c.subject = content;
  return cordon::detail::checked(c, right);
}

/// A program by its name in PATH, or by its path. With such a clause, no other program may be started.
[[nodiscard]] constexpr clause can_start(clause_argument<clause_function::can_start> program) {
  return detail::one_of(axis_id::executables, clause_function::can_start, {program.text(), 1, {}});
}

} // namespace dsl

namespace detail {

[[nodiscard]] constexpr std::uint32_t bit(axis_id p) { return 1U << static_cast<unsigned>(p); }

/// A grant applies to both path axes.
[[nodiscard]] constexpr axis_id said_by(axis_id p) { return p == axis_id::workspace ? axis_id::files : p; }

/// A view of clauses. <span> would take a tenth of the time that this header takes to compile.
struct clause_list {
  const clause* first = nullptr;
  std::size_t size = 0;

  template <class Clauses>
  constexpr explicit clause_list(const Clauses& all) : first(std::data(all)), size(std::size(all)) {}
  [[nodiscard]] constexpr const clause* begin() const { return first; }
  [[nodiscard]] constexpr const clause* end() const { return first + size; }
};

/// The parts that clauses name.
[[nodiscard]] constexpr std::uint32_t parts_of(clause_list clauses) {
  std::uint32_t parts = 0;
  for (const clause& c : clauses)
    if (c.abilities.bits() == 0) parts |= bit(c.axis);
  return parts;
}

template <axis_id P, class Out> constexpr void write_clauses(clause_list clauses, Out& out) {
  for (const clause& c : clauses)
    if (c.axis == said_by(P) && c.abilities.bits() == 0) out.add(c.what);
}

template <axis_id P, class Tree, class Storage>
constexpr void write_patterns(clause_list clauses, step_function_builder<Tree, Storage>& out) {
  host_set<Storage> all;
  for (const clause& c : clauses)
    if (c.axis == P) all.add(c.pattern);
  if (all.close().code != diagnostic_code::ok) return out.note_full();
  out.add_all(all.view().template as<Tree>());
}

template <class Out> constexpr void write_sockets(clause_list clauses, Out& out) {
  host::port_set ports;
  for (const clause& c : clauses)
    if (host::port_range r; c.axis == axis_id::sockets && c.what.place == sockets::listening) {
      if (host::parse_ports(c.what.payload, r)) ports.add(r);
    } else if (c.axis == axis_id::sockets) out.add(c.what);
  sockets::add_listening(ports, out);
}

/// The error of the first wrong clause, if there is one.
[[nodiscard]] constexpr policy_error first_wrong(clause_list clauses) {
  for (std::size_t i = 0; i < clauses.size; ++i)
    if (const clause& c = clauses.first[i]; c.code != diagnostic_code::ok)
      return {c.code, static_cast<std::uint32_t>(i), policy_error::no_clause, c.function, c.pattern.why, c.subject};
  return {};
}

/// The error of the second clause that names a place of that part.
[[nodiscard]] constexpr policy_error second(clause_list clauses, axis_id part, std::string_view place) {
  policy_error e{diagnostic_code::duplicate_place};
  for (std::size_t i = 0; i < clauses.size; ++i) {
    const clause& c = clauses.first[i];
    if (c.axis != part || c.abilities.bits() != 0 || !same(c.what.place, place)) continue;
    const bool is_second = e.other != policy_error::no_clause;
    (is_second ? e.index : e.other) = static_cast<std::uint32_t>(i);
    e.function = c.function;
    e.subject = c.subject;
    if (is_second) break;
  }
  return e;
}

/// Writes the policy of the clauses to `p`, which is as default-constructed.
template <class Policy> constexpr policy_error write_policy(clause_list clauses, Policy& p) {
  if (policy_error e = first_wrong(clauses); e.code != diagnostic_code::ok) return e;
  const std::uint32_t named = parts_of(clauses);
  p.level = (named & bit(axis_id::hosts)) != 0 ? level::network : level::process_exec;
  p.interpreters = true;
  for (const clause& c : clauses) p.abilities = p.abilities | c.abilities;
  policy_error e;
  each_part([&]<axis_id P>() {
    constexpr bool open = P == axis_id::calls || P == axis_id::capabilities || P == axis_id::executables;
    const bool is_named = (named & bit(said_by(P))) != 0;
    if (!is_named && !open) return true;
    if (P == axis_id::files) { // a grant applies to both path axes
      p.share_paths();
      return true;
    }
    const diagnostic d = !is_named ? p.template write_any<P>() : p.template write<P>([&](auto& out) {
      if constexpr (open && P != axis_id::executables) out.add(everything<P>());
      if constexpr (is_of_hosts(P)) write_patterns<P>(clauses, out);
      else if constexpr (P == axis_id::sockets) write_sockets(clauses, out);
      else if constexpr (P != axis_id::capabilities) write_clauses<P>(clauses, out);
    });
    if (d.code == diagnostic_code::duplicate_place) e = second(clauses, said_by(P), d.subject);
    else if (d.code != diagnostic_code::ok) e.code = d.code;
    return d.code == diagnostic_code::ok;
  });
  return e;
}

/// Compilers print the arguments of constexpr functions on the way to a stop, here the text of the clause. A condition
/// on them must let the function return, or g++ prints none.
constexpr void granted_twice(std::string_view place) {
  if (!place.empty()) a_place_is_granted_twice();
}

/// Ends the build with the name of the function, or the process with the sentence of the error, if there is one.
constexpr void stop_for(const policy_error& e, clause_list clauses) {
  if (e.code == diagnostic_code::ok) return;
  if (!std::is_constant_evaluated()) stop(text_of(e).c_str()); // the sentence: no function of stop.hpp knows it
  if (e.code != diagnostic_code::duplicate_place) this_policy_holds_more_than_its_storage();
  const clause& c = clauses.first[e.index];
  granted_twice(c.what.place);
}

} // namespace detail

/// The policy of these clauses. Processes may be started; they and the host's own tools get the granted rights. If a
/// clause names a host, processes may connect to the allowed hosts. Programs and system calls that no clause names are
/// allowed, but one can_start clause denies all other programs. The policy copies the texts of the clauses, which must
/// be valid during the call alone. A wrong clause stops the build, or at run time the process: `try_policy_of` returns
/// an error instead. O(n log n).
template <class Policy = policy> [[nodiscard]] constexpr Policy policy_of(std::initializer_list<clause> clauses) {
  Policy p;
  detail::stop_for(detail::write_policy(detail::clause_list(clauses), p), detail::clause_list(clauses));
  return p;
}
/// The same for clauses in a std::vector, std::array or std::span.
template <class Policy = policy, class Clauses> [[nodiscard]] constexpr Policy policy_of(const Clauses& clauses) {
  Policy p;
  detail::stop_for(detail::write_policy(detail::clause_list(clauses), p), detail::clause_list(clauses));
  return p;
}

/// The same for clauses whose texts are known at run time. Returns: the policy, or the error of the first wrong clause,
/// which `text_of` puts into a sentence. `loaded_policy` needs policy/heap.hpp.
template <class Policy = loaded_policy>
[[nodiscard]] constexpr policy_result<Policy> try_policy_of(std::initializer_list<clause> clauses) {
  return detail::written_by<Policy>([&](Policy& to) { return detail::write_policy(detail::clause_list(clauses), to); });
}
/// The policy of clauses in a range, or the first wrong clause.
template <class Policy = loaded_policy, class Clauses>
[[nodiscard]] constexpr policy_result<Policy> try_policy_of(const Clauses& clauses) {
  return detail::written_by<Policy>([&](Policy& to) { return detail::write_policy(detail::clause_list(clauses), to); });
}

} // namespace cordon
