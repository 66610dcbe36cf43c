// SPDX-License-Identifier: BSL-1.0
/// The guard: an advisory check of a command line before the start. It is never the boundary and never changes an
/// argument. The first check that fails decides:
///   executables   each program that is started, also in turn by env, xargs and the like, is listed;
///   interpreters  none of them is a shell or language runtime, unless these may run;
///   inline code   no interpreter gets its code on the command line;
///   paths         no argument's text is a path for which the policy grants nothing;
///   hosts         no argument names a denied host.
#pragma once

#include "../policy/policy.hpp"
#include "argument_host.hpp"
#include "argument_path.hpp"
#include "code_tool.hpp"
#include "finding.hpp"
#include "inline_code.hpp"
#include "wrapper.hpp"

#include <span>

namespace cordon {

namespace guard {

/// Checks the programs that a command line starts. Finds the first that is not listed, else the first interpreter, else
/// code on the command line.
[[nodiscard]] constexpr guard_finding check_programs(words& w, step_function<name_tree> executables,
                                                     bool interpreters) {
  guard_finding interpreter, code_found;
  program_walk walk(w);
  for (; !walk.is_over(); walk.go_on()) {
    const auto [program, argument] = w[walk.at()];
    if (executables.lookup(program) == 0) return {guard_code::executable_refused, argument};
    const bool is_language = is_interpreter(program);
    if (is_language && !interpreters && !interpreter.refused())
      interpreter = {guard_code::interpreter_refused, argument};
    if (code_found.refused()) continue;
    const std::size_t code = is_language ? find_inline_code(w, walk.at()) : find_code(w, walk.at(), walk.end());
    if (code < w.size()) code_found = {guard_code::inline_code_refused, w[code].argument};
  }
  if (interpreter.refused()) return interpreter;
  if ((!w.is_cut() && !walk.is_cut()) || code_found.refused()) return code_found;
  if (executables.lookup("*") == 0) return {guard_code::executable_refused, 0};
  return {interpreters ? guard_code::inline_code_refused : guard_code::interpreter_refused, 0};
}

/// Calls `f(index, program)` for each word that is not a program, until f returns true. `program` is the index of the
/// program before the word. Returns: the index, or the number of words.
template <class F> [[nodiscard]] constexpr std::size_t find_argument(words& w, F&& f) {
  program_walk walk(w);
  for (std::size_t i = 0, program = 0; i < w.size(); ++i)
    if (i == walk.at()) {
      program = i;
      walk.go_on();
    } else if (f(i, program)) return i;
  return w.size();
}

/// Index of the word that names a host which the judge refuses, or the number of words.
[[nodiscard]] constexpr std::size_t find_refused_host(words& w, host_judge& judge) {
  bool is_value = false;
  return find_argument(w, [&](std::size_t i, std::size_t) {
    const std::string_view text = w[i].text;
    if (judge.refuses_in(text) || (is_value && judge.refuses_value(text))) return true;
    const host_option o = host_option_of(text);
    is_value = o.found && o.is_next;
    return o.found && !o.is_next && judge.refuses_value(o.value);
  });
}

/// Judges the hosts that the words name; calls `f(judged_host)` for the first that is refused.
template <class F> [[nodiscard]] constexpr guard_finding check_hosts(words& w, const host_axis& hosts, F&& f) {
  if (hosts.is_any()) return {};
  host_judge judge(hosts);
  const std::size_t host = find_refused_host(w, judge);
  if (host >= w.size()) return {};
  f(judge.found());
  return {guard_code::host_refused, w[host].argument};
}

/// Judges the paths that the words name, then the hosts.
[[nodiscard]] constexpr guard_finding check_arguments(words& w, const host_axis& hosts, const surroundings& where) {
  const std::size_t path = find_argument(
      w, [&](std::size_t i, std::size_t program) { return leaves_workspace(w[program].text, w[i].text, where); });
  if (path < w.size()) return {guard_code::path_leaves_workspace, w[path].argument};
  return check_hosts(w, hosts, [](const host::judged_host&) {});
}

} // namespace guard

/// The first argument that names a denied host, whatever other checks find. Calls `f` with that host, whose text is
/// valid during the call.
template <class F>
[[nodiscard]] constexpr guard_finding check_hosts(std::span<const std::string_view> argv, const host_axis& hosts,
                                                  F&& f) {
  if (argv.empty()) return {};
  guard::words w(argv);
  return guard::check_hosts(w, hosts, f);
}
/// The same, without the text of the host.
[[nodiscard]] constexpr guard_finding check_hosts(std::span<const std::string_view> argv, const host_axis& hosts) {
  return check_hosts(argv, hosts, [](const host::judged_host&) {});
}

/// The first argument that is a path without a grant, else the first that names a denied host.
[[nodiscard]] constexpr guard_finding check_arguments(std::span<const std::string_view> argv, const host_axis& hosts,
                                                      const guard::surroundings& where = {}) {
  if (argv.empty()) return {};
  guard::words w(argv);
  return guard::check_arguments(w, hosts, where);
}

/// Checks a command line: the program and its arguments. `executables` has the value 1 for names looked up in PATH, and
/// for paths of programs started by a path with a slash. O(size of the command line).
[[nodiscard]] constexpr guard_finding check_guard(std::span<const std::string_view> argv,
                                                  step_function<name_tree> executables, bool interpreters,
                                                  const host_axis& hosts, const guard::surroundings& where = {}) {
  if (argv.empty()) return {};
  guard::words w(argv);
  if (const guard_finding f = guard::check_programs(w, executables, interpreters); f.refused()) return f;
  return guard::check_arguments(w, hosts, where);
}

/// The paths for which a policy grants anything, for a program started in directory `cwd`. If the policy limits neither
/// the workspace nor the files of processes, and there is no directory, no path is checked.
template <class S>
[[nodiscard]] constexpr guard::surroundings surroundings_of(const basic_policy<S>& p, std::string_view cwd) {
  guard::surroundings where;
  const bool any_workspace = p.template is_any<axis_id::workspace>(), any_file = p.template is_any<axis_id::files>();
  if (!any_workspace) where.granted = p.workspace();
  if (!any_file) where.files = p.files();
  if (!any_workspace || !any_file) where.cwd = cwd;
  return where;
}

/// The same with the lists of a policy.
template <class S>
[[nodiscard]] constexpr guard_finding check_guard(const basic_policy<S>& p, std::span<const std::string_view> argv,
                                                  std::string_view cwd = {}) {
  return check_guard(argv, p.executables(), p.interpreters, p.hosts(), surroundings_of(p, cwd));
}

/// True if the policy limits which programs start. Otherwise code on a command line evades nothing.
template <class S> [[nodiscard]] constexpr bool limits_programs(const basic_policy<S>& p) {
  return !p.interpreters || !p.template is_any<axis_id::executables>();
}

/// The first argument that names a path for which `f` holds, for callers that read the file system. `f` gets each path
/// as it is written, including relative ones, plain names and possible ones (`/x` of `-Isrc/x`).
template <class F> [[nodiscard]] constexpr guard_finding find_path(std::span<const std::string_view> argv, F&& f) {
  if (argv.empty()) return {};
  guard::words w(argv);
  const std::size_t path = guard::find_argument(w, [&](std::size_t i, std::size_t) {
    const std::string_view text = w[i].text;
    if (guard::has_blank(text)) return f(text);
    const std::string_view perhaps = guard::behind_letters(text);
    return guard::any_path(text, f) || (!perhaps.empty() && f(perhaps));
  });
  return path < w.size() ? guard_finding{guard_code::path_leaves_workspace, w[path].argument} : guard_finding{};
}

} // namespace cordon
