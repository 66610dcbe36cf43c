// SPDX-License-Identifier: BSL-1.0
/// Converts a document to its policy on one host.
#pragma once

#include "../policy/credential_paths.hpp"
#include "existing_paths.hpp"
#include "globs.hpp"

#include <algorithm>
#include <stdexcept>

namespace cordon::format {

namespace detail {

inline void must(diagnostic d) {
  if (d.code != errc::ok) throw std::length_error("cordon: the policy is too large");
}

/// Grants of presets. At the same path, `hidden` (credentials) wins over `shown` (the other presets).
class preset_grants {
public:
  preset_grants(const document& d, const host_facts& facts)
      : facts_(facts),
        whole_(d.under_home == home_presets::whole),
        home_(directory_at(facts.home)),
        below_home_(facts, home_) {
    const bool implied = !d.presets;
    std::vector<preset> wanted =
        d.presets.value_or(std::vector<preset>{preset::system_runtime, preset::developer_toolchains,
                                               preset::package_manager_config, preset::user_temp, preset::credentials});
    for (const preset p : wanted) add(p, implied, writes_workspace(d) || removes_in_workspace(d));
  }

  std::vector<grant> shown, hidden;

private:
  [[nodiscard]] static std::string directory_at(std::string_view home) {
    const path::normal place = path::normalize(home);
    return place ? std::string(place.view()) : std::string();
  }

  void put(std::vector<grant>& to, std::string_view written, rights r) {
    if (written.front() != '/') return put_below_home(to, written, r);
    if (facts_.exists != nullptr && written != run_temp && !facts_.exists(written)) return;
    to.push_back({std::string(written), r});
  }
  void put_below_home(std::vector<grant>& to, std::string_view written, rights r) {
    if (home_.empty()) return; // a home that is not absolute has no paths beneath it
    std::string place = home_ == "/" ? home_ : home_ + "/";
    place += written;
    if (r.empty() ? below_home_.may_have(place) : below_home_.has(place)) to.push_back({std::move(place), r});
  }
  void put(std::vector<grant>& to, preset_places::list places, rights r) {
    for (const std::string_view p : places) put(to, p, r);
  }

  void add(preset p, bool implied, bool writes) {
    using namespace preset_places;
    const bool windows = facts_.system == platform::windows;
    switch (p) {
    case preset::system_runtime: return put(shown, system(facts_.system), verb::run);
    case preset::developer_toolchains:
      if (facts_.system == platform::macos) put(shown, macos_toolchains, verb::run);
      // On Windows, a grant under home costs a rewrite of the access lists, so it is given only if the document lists
      // the preset.
      if (windows && implied) return;
      put(shown, whole_ ? list{home_toolchains} : list{home_toolchain_parts}, verb::run);
      if (windows) put(shown, windows_home_toolchains, verb::run);
      return;
    case preset::package_manager_config:
      if (!(windows && implied)) put(shown, whole_ ? list{home_config} : list{home_config_parts}, verb::read);
      return;
    case preset::user_temp:
      if (writes) put(shown, temp(facts_.system), verb::write);
      return;
    case preset::credentials:
      hide_credentials();
      if (!windows) put(hidden, etc_credentials, verb::hide);
      return;
    }
  }

  void hide_credentials() {
    for (const credential_path& row : home_credentials)
      if (is_used_on(row, facts_.system)) put_below_home(hidden, row.path, verb::hide);
  }

  const host_facts& facts_;
  const bool whole_;
  const std::string home_; ///< in normal form; empty if unknown
  existing_paths below_home_;
};

/// The files axis as a list: the document's own grants, then `credentials`, then the other presets.
inline std::vector<grant> files_of(const document& d, const host_facts& facts) {
  std::vector<grant> all = *d.files;
  sort(all);
  preset_grants presets(d, facts);
  const auto hides_ssh = [](const grant& g) { return g.place == preset_places::ssh_directory; };
  if (std::any_of(presets.hidden.begin(), presets.hidden.end(), hides_ssh)) {
    std::vector<grant> shown;
    add_missing(shown, presets.shown);
    for (const std::string_view open : preset_places::etc_not_secret)
      if (facts.exists == nullptr || facts.exists(open))
        presets.hidden.push_back({std::string(open), at(all, shown, open)});
  }
  add_missing(all, std::move(presets.hidden));
  add_missing(all, std::move(presets.shown));
  return all;
}

template <axis_id P> void write_grants(loaded_policy& to, const std::vector<grant>& grants) {
  must(to.write<P>([&](auto& out) {
    for (const grant& g : grants) out.add({g.place, g.allowed.bits(), {}});
  }));
}

/// A set of names as a step function; names may repeat.
inline void add_names(step_function_builder<name_tree, heap>& out, std::vector<std::string> list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  for (const std::string& n : list) out.add({n, 1, {}});
}

template <axis_id P> void write_names(loaded_policy& to, const any_or<std::string>& list) {
  if (!list) return must(to.write_any<P>());
  must(to.write<P>([&](auto& out) { add_names(out, *list); }));
}

inline void write_hosts(loaded_policy& to, const std::optional<host_lists>& lists) {
  if (!lists) return must(to.write_any<axis_id::hosts>());
  must(to.write<axis_id::hosts>([&](auto& out) { out.add_all(lists->allowed.view()); }));
  must(to.write<axis_id::denied_hosts>([&](auto& out) { out.add_all(lists->denied.view().as<denied_tree>()); }));
}

inline void write_sockets(loaded_policy& to, const std::optional<socket_lists>& lists) {
  if (!lists) return must(to.write_any<axis_id::sockets>());
  must(to.write<axis_id::sockets>([&](auto& out) {
    host::port_set ports;
    for (const host::port_range r : lists->listen) ports.add(r);
    sockets::add_listening(ports, out);
    if (lists->loopback) out.add({sockets::loopback, 1, {}});
    std::vector<std::string> paths = lists->unix_paths;
    std::sort(paths.begin(), paths.end());
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    for (const std::string& p : paths) out.add({p, 1, {}});
  }));
}

/// On Windows, names of variables are case-insensitive: a policy has them in capitals.
[[nodiscard]] inline environment_text in_capitals(environment_text d) {
  const auto raise = [](std::string& name) {
    for (char& c : name)
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
  };
  for (std::string& name : d.remove) raise(name);
  if (d.pass)
    for (std::string& name : *d.pass) raise(name);
  std::map<std::string, std::string> set;
  for (auto& [name, value] : d.set) {
    std::string raised = name;
    raise(raised);
    set[raised] = std::move(value);
  }
  d.set = std::move(set);
  return d;
}

/// A variable is absent if `remove` covers it, else set if `set` has it, else passed if `pass` covers it.
inline void write_environment(loaded_policy& to, const environment_text& d) {
  heap pass, remove;
  step_function_builder<name_tree, heap> p(pass), r(remove);
  if (d.pass) add_names(p, *d.pass);
  else p.add({"*", 1, {}});
  add_names(r, d.remove);
  must(p.close());
  must(r.close());
  const step_function<name_tree> passing(pass.slots(), pass.size(), pass.text());
  const step_function<name_tree> removed(remove.slots(), remove.size(), remove.text());
  must(to.write<axis_id::environment>([&](auto& out) {
    merge(passing, removed, [&](std::string_view name, std::uint32_t i, std::uint32_t j) {
      if (removed.at(j).value == 0 && d.set.find(std::string(name)) != d.set.end()) return true;
      out.add({name, removed.at(j).value != 0 ? variable::absent : passing.at(i).value, {}});
      return true;
    });
    for (const auto& [name, value] : d.set)
      if (removed.lookup(name) == 0) out.add({name, variable::set(value.size()), value});
  }));
}

} // namespace detail

/// The same document with the paths of its presets and patterns listed, so that the host is searched for them only
/// once.
[[nodiscard]] inline document expanded(const document& from, const host_facts& facts) {
  document d = with_globs_expanded(from, facts);
  if (!d.exact && d.files && !d.files->empty()) d.files = detail::files_of(d, facts);
  d.presets.emplace();
  return d;
}

/// The paths of both path axes that a document names, with their rights. An axis that is *any* has none.
struct named_places {
  std::vector<grant> workspace, files;
};
[[nodiscard]] inline named_places places_named_by(const document& d, const host_facts& facts) {
  if (d.exact) return {d.exact_workspace, d.exact_files};
  named_places all;
  if (d.workspace) all.workspace = *d.workspace;
  if (d.files && !d.files->empty()) all.files = detail::files_of(d, facts);
  return all;
}

/// The policy of a document on a host, from the paths in the document alone. Symbolic links are not followed: if the
/// document denies a link's path, the link's target may stay open. For checks, proofs and rules of other systems; use
/// `load_policy` (run/load.hpp) for a policy to enforce. A missing axis is *any*, except profile (worktree), abilities
/// (spawn), syscalls (inherit) and fallback (enforce). O(n log n) in the entries.
[[nodiscard]] inline loaded_policy lower_lexically(const document& d, const host_facts& facts) {
  const auto is_open = [](const glob_grant& g) { return !g.places; };
  if (std::any_of(d.globs.begin(), d.globs.end(), is_open))
    return lower_lexically(with_globs_expanded(d, facts), facts);
  if (d.exact) return *d.exact;
  loaded_policy p;
  p.profile = d.profile.value_or(profile::worktree);
  p.level = d.level.value_or(level::network);
  p.fallback = d.fallback.value_or(fallback::enforce);
  p.syscalls = d.syscalls.value_or(syscalls::inherit);
  p.abilities = d.abilities.value_or(default_abilities);
  p.limits = d.limits;
  p.interpreters = d.interpreters.value_or(true);
  detail::write_names<axis_id::capabilities>(p, d.capabilities);
  if (d.workspace) detail::write_grants<axis_id::workspace>(p, *d.workspace);
  else detail::must(p.write_any<axis_id::workspace>());
  if (!d.files) detail::must(p.write_any<axis_id::files>());
  else if (d.files->empty()) detail::write_grants<axis_id::files>(p, {});
  else detail::write_grants<axis_id::files>(p, detail::files_of(d, facts));
  detail::write_hosts(p, d.network);
  detail::write_sockets(p, d.sockets);
  detail::must(p.write<axis_id::calls>([&](auto& out) {
    out.add({"*", 1, {}});
    std::vector<std::string> denied = d.denied_calls;
    std::sort(denied.begin(), denied.end());
    denied.erase(std::unique(denied.begin(), denied.end()), denied.end());
    for (const std::string& c : denied) out.add({c, 0, {}});
  }));
  const environment_text variables = d.environment.value_or(environment_text{});
  detail::write_environment(p, facts.system == platform::windows ? detail::in_capitals(variables) : variables);
  detail::write_names<axis_id::executables>(p, d.executables);
  return p;
}

} // namespace cordon::format
