// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/load.hpp>

#include "host.hpp"
#include "projects.hpp"

#include <cordon/format/read.hpp>
#include <cordon/run/glob_walk.hpp>

#include <filesystem>
#include <map>

namespace cordon {
namespace {

/// Paths below the directory that they may have been written relative to, with that directory. If that directory is a
/// home or contains it, the result is empty: a home does not come from another user.
[[nodiscard]] std::map<std::string, std::string> places_beneath(const loaded_policy& p,
                                                                const format::host_facts& facts) {
  std::map<std::string, std::string> all;
  if (!facts.home.empty() && path::covers(facts.base, facts.home)) return all;
  for (const auto& places : {p.files(), p.workspace()})
    for (std::uint32_t i = 0; i < places.size(); ++i)
      if (const std::string_view place = places.place(i); place != facts.base && path::covers(facts.base, place))
        all.emplace(place, facts.base);
  return all;
}

template <axis_id P>
void name_places(host_policy& to, std::vector<named_place>& all, const std::vector<format::grant>& places,
                 composed how) {
  for (const format::grant& g : places) all.push_back({g.place, g.allowed});
  if (how == composed::yes) detail::clamp_to_named<P>(to.policy, all);
}

[[nodiscard]] std::string marked_project_around(const std::string& directory) {
  project found = find_project(directory, shim::projects_of_caller());
  return found.is_marked ? std::move(found.root) : std::string();
}

[[nodiscard]] bool is_closed(const std::string& directory) {
  const std::optional<long long> caller = shim::caller();
  const long long owner = shim::owner(directory);
  return caller && owner >= 0 && owner != *caller;
}

[[nodiscard]] bool exists(std::string_view place) {
  std::error_code ec;
  return std::filesystem::exists(path_at(place), ec);
}

/// Could a path exist? True also if it lies behind a directory that the caller cannot read but may open again.
[[nodiscard]] bool may_exist(std::string_view place) {
  std::error_code ec;
  if (std::filesystem::exists(path_at(place), ec)) return true;
  if (ec != std::errc::permission_denied) return false;
  std::string directory(path::parent(place));
  while (directory != "/" && shim::owner(directory) < 0) directory = path::parent(directory);
  return !is_closed(directory);
}

} // namespace

project_facts shim::projects_of_caller() {
  return {
      .homes = {home_place()}, .owner = owner, .caller = caller(), .home = home_of_account, .system = this_platform()};
}

format::host_facts facts_of_host() {
  format::host_facts facts;
  facts.system = shim::this_platform();
  facts.home = shim::home_place();
  facts.exists = exists;
  facts.may_exist = may_exist;
  facts.names_in = shim::names_in;
  facts.interpreters_of = shim::interpreters_of;
  facts.find_matches = [](const std::string& top, const std::vector<format::glob_search>& wanted,
                          const format::found_match& found) { find_matches(top, wanted, found, is_closed); };
  std::error_code ec;
  const std::filesystem::path here = std::filesystem::current_path(ec);
  if (ec) throw refused("the current directory: " + ec.message());
  facts.base = place_of(here);
  return facts;
}

host_policy load_policy(const format::document& d, const format::host_facts& facts, composed how) {
  const format::document expanded = format::expanded(d, facts);
  host_policy to{format::lower_lexically(expanded, facts), links_of_host(facts.home), d.said};
  const auto named = format::places_named_by(expanded, facts);
  name_places<axis_id::workspace>(to, to.links.named.workspace, named.workspace, how);
  name_places<axis_id::files>(to, to.links.named.files, named.files, how);
  to.globs = globs_of(expanded);
  if (d.says(axis::fallback)) to.written_fallback = to.policy.fallback;
  to.links.beneath = places_beneath(to.policy, facts);
  to.links.project_around = marked_project_around;
  return to;
}

host_policy load_policy_text(std::string name, std::string text, const format::host_facts& facts) {
  return load_policy(format::read(std::move(name), std::move(text), facts), facts);
}

host_policy load_policy(const std::string& file, const format::host_facts& facts) {
  format::host_facts there = facts;
  there.base = format::directory_of(file);
  return load_policy_text(file, format::content_of(file), there);
}

host_policy operator&(const host_policy& a, const host_policy& b) {
  host_policy both{a.policy & b.policy, a.links, a.said | b.said, a.written_fallback, a.globs};
  if (b.written_fallback) both.written_fallback = meet(*b.written_fallback, a.written_fallback.value_or(fallback::off));
  const auto append = [](std::vector<named_place>& to, const std::vector<named_place>& more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  append(both.links.named.workspace, b.links.named.workspace);
  append(both.links.named.files, b.links.named.files);
  both.globs.insert(both.globs.end(), b.globs.begin(), b.globs.end());
  for (const auto& [place, base] : b.links.beneath)
    if (std::string& deepest = both.links.beneath[place]; deepest.size() < base.size()) deepest = base;
  return both;
}

} // namespace cordon
