// SPDX-License-Identifier: BSL-1.0
/// Writes the axes of a document into its policy on one host.
#pragma once

#include "../detail/ascii.hpp"
#include "../policy/credential_paths.hpp"
#include "../policy/preset.hpp"
#include "document.hpp"
#include "error.hpp"
#include "existing_paths.hpp"
#include "globs.hpp"

#include <algorithm>
#include <map>

namespace cordon::format::detail {

inline void must(diagnostic d) {
  if (d.code != diagnostic_code::ok) throw policy_overflow();
}

/// Grants of presets. At the same path, `hidden` (credentials) wins over `shown` (the other presets).
class preset_grants {
public:
  preset_grants(const document& d, const host_facts& facts)
      : facts_(facts),
        whole_(d.under_home == home_presets::whole),
        home_(directory_at(facts.home)),
        account_home_(directory_at(facts.account_home)),
        below_home_(facts, home_) {
    const bool implied = !d.presets;
    const bool writes = writes_workspace(d) || removes_in_workspace(d);
    for_each(d.presets.value_or(default_presets), [&](preset p) { add(p, implied, writes); });
  }

  std::vector<grant> shown, hidden;
  bool hides_credentials = false;

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
    if (p == preset::credentials) hide_credentials();
    for (const preset_places::preset_paths& row : preset_places::table) {
      if (row.of != p || !row.is_on(facts_.system) || !is_of_document(row.in)) continue;
      if (row.allowed.has(right::write) && !writes) continue;
      if (facts_.system == platform::windows && implied && row.is_below_home()) continue;
      put(row.allowed.empty() ? hidden : shown, row.paths, row.allowed);
    }
  }

  [[nodiscard]] bool is_of_document(preset_places::documents d) const {
    using enum preset_places::documents;
    return d == all || d == (whole_ ? capability_policy : other);
  }

  void hide_credentials() {
    hides_credentials = true;
    for (const credential_path& row : home_credentials)
      if (is_used_on(row, facts_.system)) put_below_home(hidden, row.path, verb::hide);
    if (account_home_.empty() || account_home_ == home_) return;
    existing_paths there(facts_, account_home_);
    for (const credential_path& row : home_credentials) {
      std::string place = (account_home_ == "/" ? "" : account_home_) + "/" + std::string(row.path);
      if (is_used_on(row, facts_.system) && there.may_have(place)) hidden.push_back({std::move(place), verb::hide});
    }
  }

  const host_facts& facts_;
  const bool whole_;
  const std::string home_, account_home_; ///< in normal form; empty if unknown
  existing_paths below_home_;
};

/// Directories of the machine in which other programs keep keys for root alone.
inline constexpr std::string_view closed_tops[]{"/etc", "/var"};

/// What is closed to other users below these directories is hidden by its mode, where the document opens the whole of
/// them: no list could name it all. `own`: the document's grants. A grant below one of them opens what is there.
inline void hide_closed(std::vector<grant>& hidden, const std::vector<grant>& own, const std::vector<grant>& shown,
                        const host_facts& facts) {
  for (const std::string_view top : closed_tops) {
    if (facts.closed_below == nullptr || !at(own, shown, top).has(right::read)) continue;
    for (std::string& place : facts.closed_below(top)) {
      const grant* const named = covering(own, place);
      if (named == nullptr || path::covers(named->place, top)) hidden.push_back({std::move(place), verb::hide});
    }
  }
}

/// Does a document hide something in /proc, which it does not grant? Linux gives every program a /proc: an entry for it keeps
/// what is hidden in it from being dropped as without effect. `files`: sorted.
[[nodiscard]] inline bool needs_proc(const std::vector<grant>& files, platform on) {
  if (on != platform::linux_) return false;
  const grant* const around = covering(files, "/proc");
  const auto hides = [](const grant& g) {
    return g.allowed.empty() && g.place != "/proc" && path::covers("/proc", g.place);
  };
  return (around == nullptr || (around->allowed.empty() && around->place != "/proc")) &&
         std::any_of(files.begin(), files.end(), hides);
}

inline void show_proc(std::vector<grant>& files, platform on) {
  if (needs_proc(files, on)) add_missing(files, {{"/proc", verb::read}});
}

/// The files axis as a list: the document's own grants, then `credentials`, then the other presets.
inline std::vector<grant> files_of(const document& d, const host_facts& facts) {
  std::vector<grant> all = *d.files;
  sort(all);
  preset_grants presets(d, facts);
  if (presets.hides_credentials) {
    std::vector<grant> shown;
    add_missing(shown, presets.shown);
    hide_closed(presets.hidden, all, shown, facts);
  }
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
  show_proc(all, facts.system);
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
    if (lists->own) out.add({sockets::own, 1, {}});
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
    for (char& c : name) c = ascii::upper(c);
  };
  for (std::string& name : d.remove) raise(name);
  if (d.pass)
    for (std::string& name : *d.pass) raise(name);
  std::map<std::string, std::string> set; // raised names are in no order
  for (const auto& [name, value] : d.set) {
    std::string raised = name;
    raise(raised);
    set[raised] = value;
  }
  d.set = text_map(set.begin(), set.end());
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
  const step_function<name_tree> passing(pass.all_slots(), pass.size(), pass.text());
  const step_function<name_tree> removed(remove.all_slots(), remove.size(), remove.text());
  must(to.write<axis_id::environment>([&](auto& out) {
    merge(passing, removed, [&](std::string_view name, std::uint32_t i, std::uint32_t j) {
      if (removed.at(j).value == 0 && d.set.find(name) != d.set.end()) return true;
      out.add({name, removed.at(j).value != 0 ? variable::absent : passing.at(i).value, {}});
      return true;
    });
    for (const auto& [name, value] : d.set)
      if (removed.lookup(name) == 0) out.add({name, variable::set(value.size()), value});
  }));
}

} // namespace cordon::format::detail
