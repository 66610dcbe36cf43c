// SPDX-License-Identifier: BSL-1.0
/// Policies as text, one clause a line:
///
///   only                        as the first line: an axis without a line allows nothing, as in policy_of
///   level process_exec          profile, level, syscalls, fallback, interpreters: one word
///   run /usr                    files: read run write hide PLACE, allow RIGHT,... PLACE; or files any|none
///   write /srv/job
///   hide /srv/job/.git
///   preset system_runtime       files too: the paths of presets; drop preset NAME: of all presets but these
///   workspace write /srv/job    the host's own tools: the same verbs; or workspace any|none
///   network none                any|none; or lists; refuse takes precedence:
///   connect *.example.com:443   hosts that are allowed; without such a line, all
///   refuse gist.example.com     hosts that are denied
///   sockets own                 any|none; or own (among the processes of the run), and these lines:
///   listen 8000-8999            listen PORT or FIRST-LAST, loopback yes|no, unix PATH
///   publish 8080:80             own and listen 8080; a run takes [ADDRESS:]PORT[:PORT] of the machine for its port
///   capabilities process.exec   capabilities, abilities, executables: any, none, or names
///   deny memfd_create           denied system calls
///   limit memory 512MiB
///   pass PATH LC_*              environment: pass, set NAME=VALUE, remove; or environment any|none
///
/// The same function parses files and literals. An axis without a line is *any*, except profile (worktree), abilities
/// (spawn) and fallback (enforce). After `only`, a text means what policy_of means of the same clauses: what no line
/// names is not allowed, but calls, capabilities, executables and interpreters stay open. A grant then applies to both
/// path axes if no line names the workspace. The level is network if a line allows a host, else process_exec. A
/// repeated path or name is an error. So is a second line for an axis that any, none
/// or a single word sets. If the caller expands patterns (`parse_context::has_globs`), PLACE and PATH may be
/// glob:PATTERN (glob.hpp). Lines that name presets are for callers that list their paths
/// (`parse_context::is_preset`), and those that publish ports for callers that run programs (`parse_context::has_runs`).
#pragma once

#include "emitter.hpp"
#include "validator.hpp"

namespace cordon::notation {

/// Parses a text into `to`, an empty policy. Returns: the first error with its position (columns in bytes); its subject
/// is the word. Sets `said` to the axes that have a line, as bits in the order of `axis`. O(n log n), O(n^2) in the
/// names of environment variables. `not_empty`: `to` is not as default-constructed.
template <class S>
constexpr diagnostic parse(std::string_view text, basic_policy<S>& to, parse_context f = {},
                           std::uint32_t* said = nullptr) {
  if (!to.is_default()) return {diagnostic_code::not_empty};
  detail::validator check(text, f, to.plain());
  diagnostic d = check.run();
  if (said != nullptr) *said = check.said();
  if (detail::failed(d)) return d;
  detail::emitter fill(text, f);
  const bool one_list = check.only() && fill.shares_paths();
  cordon::detail::each_part([&]<axis_id P>() {
    constexpr bool open = P == axis_id::calls || P == axis_id::capabilities || P == axis_id::executables;
    const bool is_said = check.said(P == axis_id::workspace && one_list ? axis_id::files : P);
    if (check.only() && !is_said && !open) return true;
    if (P == axis_id::files && one_list) {
      to.share_paths();
      return true;
    }
    d = is_said ? to.template write<P>([&](auto& out) { fill.template fill<P>(out); }) : to.template write_any<P>();
    if (d.code == diagnostic_code::duplicate_place)
      // NOLINTNEXTLINE(bugprone-branch-clone): the template arguments differ
      d = P == axis_id::workspace && one_list ? fill.template second<axis_id::files>(d.subject)
                                              : fill.template second<P>(d.subject);
    return !detail::failed(d);
  });
  return d;
}

/// The policy of a text: `parse<loaded_policy>(text)`. Returns: the policy, or the first error as above.
template <class Policy>
[[nodiscard]] constexpr result<Policy> parse(std::string_view text, parse_context f = {},
                                             std::uint32_t* said = nullptr) {
  return cordon::detail::written_by<Policy>([&](Policy& to) { return parse(text, to, f, said); });
}

/// Calls `out.add(entry)` for every path line of an axis (workspace or files), in the order of a text that has been
/// parsed. Includes lines that change nothing.
template <axis_id P, class Out> constexpr void each_path(std::string_view text, parse_context f, Out& out) {
  detail::emitter(text, f).template fill<P>(out);
}

/// Calls `f(name, is it dropped)` for every name of a preset, in the order of a text that has been parsed.
template <class F> constexpr void each_preset(std::string_view text, parse_context known, F&& f) {
  detail::emitter(text, known).each_preset(f);
}

/// Calls `f(port)` for every published port, in the order of a text that has been parsed.
template <class F> constexpr void each_published(std::string_view text, parse_context known, F&& f) {
  detail::emitter(text, known).each_published(f);
}

/// Calls `f(part, rights, glob:PATTERN)` for every pattern of paths, in the order of a text that has been parsed.
template <class F> constexpr void each_glob(std::string_view text, parse_context known, F&& f) {
  detail::emitter(text, known).each_glob(f);
}

} // namespace cordon::notation
