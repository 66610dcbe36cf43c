// SPDX-License-Identifier: BSL-1.0
/// Path patterns in a document: parses them, and expands them to the paths that exist on a host.
#pragma once

#include "../policy/path.hpp"
#include "document.hpp"
#include "error.hpp"
#include "grants.hpp"
#include "rewrite.hpp"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon::format {

/// Parses `glob:PATTERN`. Returns: an error message; empty if the pattern is valid.
[[nodiscard]] inline std::string read_glob(std::string_view written, const host_facts& facts, glob_grant& to) {
  if (glob::is_marked(written)) written.remove_prefix(glob::mark.size());
  const glob::pattern p(written);
  const auto flawed = [&](std::string_view why) { return "bad pattern " + shown(written) + ": " + std::string(why); };
  if (!p) return flawed(explain(p.why()));
  const path::normal top = path::normalize(p.from() == glob::start::root   ? "/"
                                           : p.from() == glob::start::home ? "~"
                                                                           : ".",
                                           facts.base, facts.home);
  if (!top) return flawed(explain(top.why));
  to.pattern = written;
  to.top = top.view();
  return {};
}

namespace detail {

using found_places = std::map<std::string, rights>;

/// Finds the paths of all patterns: `found(index, path)`. Patterns that begin with the same plain components share one
/// search.
inline void find_places(const std::vector<glob_grant>& globs, const host_facts& facts, const found_match& found) {
  if (facts.find_matches == nullptr) return;
  struct search {
    std::vector<glob_search> wanted;
    std::vector<std::size_t> of; ///< index of each in `globs`
  };
  std::map<std::string, search> by_top;
  for (std::size_t n = 0; n < globs.size(); ++n) {
    const glob::pattern p(globs[n].pattern);
    std::string top = globs[n].top;
    for (std::size_t c = 0; c < p.plain_components(); ++c) top += (top == "/" ? "" : "/") + std::string(p.component(c));
    search& s = by_top[top];
    s.wanted.push_back({p, p.plain_components()});
    s.of.push_back(n);
  }
  for (const auto& [top, s] : by_top) {
    const std::vector<std::size_t>& of = s.of;
    facts.find_matches(top, s.wanted, [&](std::size_t n, std::string place) { found(of[n], std::move(place)); });
  }
}

/// Adds the found paths to a list, except those that the list already names.
inline void add_found(std::vector<grant>& to, const found_places& found) {
  std::vector<grant> all;
  for (const auto& [place, allowed] : found) all.push_back({place, allowed});
  sort(to);
  add_missing(to, std::move(all));
}

/// The same for a list whose empty form means *none*: if no pattern matches, the list still has an entry.
inline void add_found(any_or<grant>& to, const found_places& found) {
  if (!to) to.emplace();
  add_found(*to, found);
  if (to->empty()) to->push_back({"/", verb::hide});
}

inline void add_found_to_exact(document& d, const found_places (&found)[3]) {
  const found_places& sockets = found[2];
  add_found(d.exact_workspace, found[0]);
  add_found(d.exact_files, found[1]);
  d.exact = rewritten(*d.exact, [&]<axis_id P>(auto& out) {
    if constexpr (P == axis_id::workspace || P == axis_id::files) {
      if (d.exact->is_any<P>()) return false;
      for (const grant& g : P == axis_id::files ? d.exact_files : d.exact_workspace)
        out.add({g.place, g.allowed.bits(), {}});
      return true;
    } else if constexpr (P == axis_id::sockets) {
      const auto now = d.exact->view<P>();
      for (std::uint32_t i = 0; i < now.size(); ++i) out.add(now[i]);
      for (const auto& [place, unused] : sockets)
        if (now.at(now.find(place)).place != place) out.add({place, 1, {}});
      return true;
    }
    return false;
  });
}

} // namespace detail

/// The same document with the paths that its patterns match now. A path that the document names itself keeps its own
/// rights. A path that several patterns match gets the rights that all of them allow. O(n log n) in the paths.
[[nodiscard]] inline document with_globs_expanded(document d, const host_facts& facts) {
  if (d.globs.empty()) return d;
  detail::found_places found[3]; // workspace, files, sockets
  const auto of = [&](axis_id axis) -> detail::found_places& {
    return found[axis == axis_id::workspace ? 0 : axis == axis_id::files ? 1 : 2];
  };
  for (glob_grant& g : d.globs) g.places = 0;
  detail::find_places(d.globs, facts, [&](std::size_t n, std::string place) {
    glob_grant& g = d.globs[n];
    ++*g.places;
    const auto [at, is_new] = of(g.axis).emplace(std::move(place), g.allowed);
    if (!is_new) at->second = at->second & g.allowed;
  });
  if (d.exact) {
    detail::add_found_to_exact(d, found);
    return d;
  }
  for (const glob_grant& g : d.globs)
    if (g.axis == axis_id::files) detail::add_found(d.files, found[1]);
    else if (g.axis == axis_id::workspace) detail::add_found(d.workspace, found[0]);
  if (d.sockets)
    for (const auto& [place, unused] : found[2]) d.sockets->unix_paths.push_back(place);
  return d;
}

} // namespace cordon::format
