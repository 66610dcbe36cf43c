// SPDX-License-Identifier: BSL-1.0
/// The guard: an advisory look at a command line before the start. It is never the boundary and never changes an
/// argument. The first check that fails decides:
///   executables   each program that is started, also by env, xargs and the like in turn, is listed;
///   interpreters  none of them is a shell or language runtime, unless these may run;
///   inline code   no interpreter gets its code on the command line;
///   paths         no argument is a path that lexically leaves the workspace;
///   hosts         no argument names a host that is not allowed.
#pragma once

#include "guard/argument_host.hpp"
#include "guard/argument_path.hpp"
#include "guard/finding.hpp"
#include "guard/inline_code.hpp"
#include "guard/wrapper.hpp"
#include "policy.hpp"

#include <span>

namespace cordon {

namespace guard {

/// The programs that a command line starts: the first of them that is not listed, else the first interpreter, else
/// code that it is told.
[[nodiscard]] constexpr guard_finding check_programs(words& w, step<name_tree> executables, bool interpreters) {
  guard_finding found;
  for (std::size_t i = 0; i < w.size(); i = started_by(w, i)) {
    const auto [program, argument] = w[i];
    if (executables.value(program) == 0) return {guard_code::executable_refused, argument};
    if (found.refused() || !is_interpreter(program)) continue;
    if (!interpreters) found = {guard_code::interpreter_refused, argument};
    else if (const std::size_t code = find_inline_code(w, i); code < w.size())
      found = {guard_code::inline_code_refused, w[code].argument};
  }
  if (!w.is_cut() || found.refused()) return found;
  if (executables.value("*") == 0) return {guard_code::executable_refused, 0};
  return {interpreters ? guard_code::inline_code_refused : guard_code::interpreter_refused, 0};
}

/// Calls `f(index)` for each word that is no program, until f returns true; the index, or the number of words.
template <class F> [[nodiscard]] constexpr std::size_t find_argument(words& w, F&& f) {
  std::size_t program = 0;
  for (std::size_t i = 0; i < w.size(); ++i)
    if (i == program) program = started_by(w, i);
    else if (f(i)) return i;
  return w.size();
}

/// Index of the word that names a host which is not allowed, or the number of words.
[[nodiscard]] constexpr std::size_t find_refused_host(words& w, const host_axis& hosts) {
  bool is_value = false;
  return find_argument(w, [&](std::size_t i) {
    const std::string_view text = w[i].text;
    if (names_refused_host(text, hosts) || (is_value && is_refused_host(text, hosts))) return true;
    const host_option o = host_option_of(text);
    is_value = o.found && o.is_next;
    return o.found && !o.is_next && is_refused_host(o.value, hosts);
  });
}

} // namespace guard

/// The first argument that names a host which is not allowed, whatever else there is to find.
[[nodiscard]] constexpr guard_finding check_hosts(std::span<const std::string_view> argv, const host_axis& hosts) {
  if (argv.empty() || hosts.is_any()) return {};
  guard::words w(argv);
  const std::size_t host = guard::find_refused_host(w, hosts);
  return host < w.size() ? guard_finding{guard_code::host_refused, w[host].argument} : guard_finding{};
}

/// What the guard finds in a command line: the program and its arguments. `executables` has the value 1 for names
/// looked up in PATH and, for programs given with a slash, for these paths. O(size of the command line).
[[nodiscard]] constexpr guard_finding check_guard(std::span<const std::string_view> argv, step<name_tree> executables,
                                                  bool interpreters, const host_axis& hosts,
                                                  const guard::surroundings& where = {}) {
  if (argv.empty()) return {};
  guard::words w(argv);
  if (const guard_finding f = guard::check_programs(w, executables, interpreters); f.refused()) return f;
  const std::size_t path =
      guard::find_argument(w, [&](std::size_t i) { return guard::leaves_workspace(w[i].text, where); });
  if (path < w.size()) return {guard_code::path_leaves_workspace, w[path].argument};
  return check_hosts(argv, hosts);
}

/// The same as a policy says it; with a current directory, its workspace is what arguments must not leave.
template <class S>
[[nodiscard]] constexpr guard_finding check_guard(const basic_policy<S>& p, std::span<const std::string_view> argv,
                                                  std::string_view cwd = {}) {
  guard::surroundings where;
  if (!p.template is_any<part::workspace>()) where = {{}, cwd, p.workspace()};
  return check_guard(argv, p.executables(), p.interpreters, p.hosts(), where);
}

} // namespace cordon
