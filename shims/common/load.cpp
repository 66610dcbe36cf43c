// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/load.hpp>

#include "host.hpp"
#include "links/projects.hpp"

#include <cordon/format/read.hpp>
#include <cordon/format/service/services.hpp>
#include <cordon/run/globs/glob_walk.hpp>
#include <cordon/run/globs/globs.hpp>
#include <cordon/run/links/link_checks.hpp>
#include <cordon/run/reasons.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <utility>

namespace cordon {
namespace {

/// Paths below the directory that they may have been written relative to, with that directory. If that directory is a
/// home or contains it, the result is empty: a home does not come from another user.
[[nodiscard]] text_map places_beneath(const loaded_policy& p, const format::host_facts& facts) {
  if (!facts.home.empty() && path::covers(facts.base, facts.home)) return {};
  std::map<std::string, std::string> all;
  for (const auto& places : {p.files(), p.workspace()})
    for (std::uint32_t i = 0; i < places.size(); ++i)
      if (const std::string_view place = places.place(i); place != facts.base && path::covers(facts.base, place))
        all.emplace(place, facts.base);
  return {all.begin(), all.end()};
}

template <axis_id P>
void name_places(host_policy& to, std::vector<named_place>& all, const std::vector<format::grant>& places,
                 composed how) {
  for (const format::grant& g : places) all.push_back({g.place, g.allowed});
  if (how == composed::yes) detail::clamp_to_named<P>(to.policy, all);
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

format::host_facts cordon::abi_0::facts_of_host() {
  format::host_facts facts;
  facts.system = shim::this_platform();
  facts.home = shim::home_place();
  facts.account_home = shim::account_home();
  facts.exists = exists;
  facts.may_exist = may_exist;
  facts.variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
  };
  facts.names_in = shim::names_in;
  if (!shim::caller()) facts.closed_below = shim::closed_below;
  facts.interpreters_of = shim::interpreters_of;
  facts.find_matches = [](const std::string& top, const std::vector<format::glob_search>& wanted,
                          const format::found_match& found) { find_matches(top, wanted, found, is_closed); };
  std::error_code ec;
  const std::filesystem::path here = std::filesystem::current_path(ec);
  if (ec) throw refused::because<reasons::path_unknown>("the current directory", ec.message());
  facts.base = place_of(here);
  return facts;
}

host_policy cordon::abi_0::load_policy(const format::document& d, const format::host_facts& facts, composed how) {
  if (d.wants_root && !d.files && !facts.project) throw refused::because<reasons::policy_no_root>();
  const format::document expanded = format::expanded(d, facts);
  host_policy to{format::lower_lexically(expanded, facts), {}, d.said};
  to.links.home = facts.home;
  shim::complete(to.links);
  const auto named = format::places_named_by(expanded, facts);
  name_places<axis_id::workspace>(to, to.links.named.workspace, named.workspace, how);
  name_places<axis_id::files>(to, to.links.named.files, named.files, how);
  to.globs = globs_of(expanded);
  to.published = d.published;
  to.services = format::services_of(d, facts);
  if (d.says(axis::fallback)) to.written_fallback = to.policy.fallback;
  to.links.beneath = places_beneath(to.policy, facts);
  return to;
}

host_policy cordon::abi_0::load_policy_text(std::string name, std::string text, const format::host_facts& facts) {
  return load_policy(format::read(std::move(name), std::move(text), facts), facts);
}

host_policy cordon::abi_0::load_policy(const std::string& file, const format::host_facts& facts) {
  format::host_facts there = facts;
  there.base = format::directory_of(file);
  return load_policy_text(file, format::content_of(file), there);
}

host_policy cordon::abi_0::operator&(const host_policy& a, const host_policy& b) {
  host_policy both{a.policy & b.policy, a.links, a.said | b.said, a.written_fallback, a.globs, a.published, a.services};
  if (b.written_fallback) both.written_fallback = meet(*b.written_fallback, a.written_fallback.value_or(fallback::off));
  const auto append = [](std::vector<named_place>& to, const std::vector<named_place>& more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  append(both.links.named.workspace, b.links.named.workspace);
  append(both.links.named.files, b.links.named.files);
  both.globs.insert(both.globs.end(), b.globs.begin(), b.globs.end());
  for (const host::published_port& p : b.published)
    if (std::find(both.published.begin(), both.published.end(), p) == both.published.end()) both.published.push_back(p);
  // Not by insert(): its std::copy of this type would be a symbol that a shared object with the launcher exports.
  for (const format::granted_service& s : b.services) both.services.push_back(s);
  std::map<std::string, std::string> beneath(a.links.beneath.begin(), a.links.beneath.end());
  for (const auto& [place, base] : b.links.beneath)
    if (std::string& deepest = beneath[place]; deepest.size() < base.size()) deepest = base;
  both.links.beneath = text_map(beneath.begin(), beneath.end());
  return both;
}

loaded_policy cordon::abi_0::resolve(const host_policy& p) { return resolve(p.policy, p.links); }

run_request cordon::abi_0::request_for(host_policy p, std::vector<std::string> argv) {
  run_request request;
  request.policy = std::move(p.policy);
  request.links = std::move(p.links);
  request.asked.written_fallback = p.written_fallback;
  request.globs = std::move(p.globs);
  request.publish = std::move(p.published);
  request.services = std::move(p.services);
  request.argv = std::move(argv);
  return request;
}

} // namespace cordon
