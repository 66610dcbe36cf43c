// SPDX-License-Identifier: BSL-1.0
/// Policies as text, one clause a line:
///
///   level process_exec          profile, level, syscalls, fallback, interpreters: one word
///   run /usr                    files: read run write hide PLACE, allow RIGHT,... PLACE; or files any|none
///   write /srv/job
///   hide /srv/job/.git
///   workspace write /srv/job    the host's own tools: the same verbs; or workspace any|none
///   network none                any|none; or lists; refuse takes precedence:
///   connect *.example.com:443   hosts that are allowed; without such a line, all
///   refuse gist.example.com     hosts that are denied
///   sockets none                any|none; or listen PORT or FIRST-LAST, loopback yes|no, unix PATH
///   capabilities process.exec   capabilities, abilities, executables: any, none, or names
///   deny memfd_create           denied system calls
///   limit memory 512MiB
///   pass PATH LC_*              environment: pass, set NAME=VALUE, remove; or environment any|none
///
/// The same function parses files and literals. An axis without a line is *any*, except profile (worktree), abilities
/// (spawn) and fallback (enforce). A repeated path or name is an error. So is a second line for an axis that any, none
/// or a single word sets. If the caller expands patterns (`parse_context::has_globs`), PLACE and PATH may be
/// glob:PATTERN (glob.hpp).
#pragma once

#include "emitter.hpp"
#include "validator.hpp"

namespace cordon::notation {

/// Parses a text into `to`, an empty policy. Returns: the first error with its position (columns in bytes); its subject
/// is the word. Sets `said` to the axes that have a line, as bits in the order of `axis`. O(n log n), O(n^2) in the
/// names of environment variables.
template <class S>
constexpr diagnostic parse(std::string_view text, basic_policy<S>& to, parse_context f = {},
                           std::uint32_t* said = nullptr) {
  detail::validator check(text, f, to.plain());
  diagnostic d = check.run();
  if (said != nullptr) *said = check.said();
  if (detail::failed(d)) return d;
  detail::emitter fill(text, f);
  cordon::detail::each_part([&]<axis_id P>() {
    d = check.said(P) ? to.template write<P>([&](auto& out) { fill.template fill<P>(out); })
                      : to.template write_any<P>();
    if (d.code == errc::duplicate_place) d = fill.template second<P>(d.subject);
    return !detail::failed(d);
  });
  return d;
}

/// Calls `out.add(entry)` for every path line of an axis (workspace or files), in the order of a text that has been
/// parsed. Includes lines that change nothing.
template <axis_id P, class Out> constexpr void each_path(std::string_view text, parse_context f, Out& out) {
  detail::emitter(text, f).template fill<P>(out);
}

/// Calls `f(part, rights, glob:PATTERN)` for every pattern of paths, in the order of a text that has been parsed.
template <class F> constexpr void each_glob(std::string_view text, parse_context known, F&& f) {
  detail::emitter(text, known).each_glob(f);
}

} // namespace cordon::notation
