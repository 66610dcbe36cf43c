// SPDX-License-Identifier: BSL-1.0
#include <cordon/format/lower.hpp>

#include <cordon/format/lower_axes.hpp>
#include <cordon/format/rewrite.hpp>
#include <cordon/format/service/services.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon::format {

namespace {

/// Does a text in the policy language name presets whose paths are not listed yet?
bool has_presets_to_list(const document& d) { return d.exact && d.presets && !d.presets->empty(); }

/// The same text with the paths of its presets as further grants.
document with_presets_listed(document d, const host_facts& facts) {
  document files;
  files.files = d.exact_files;
  files.presets = std::move(d.presets);
  files.capabilities.emplace();
  for (const std::string_view c : {"workspace.write_text", "workspace.delete"})
    if (d.exact->capabilities().lookup(c) != 0) files.capabilities->emplace_back(c);
  d.exact_files = detail::files_of(files, facts);
  d.exact = rewritten(*d.exact, [&]<axis_id P>(auto& out) {
    if constexpr (P == axis_id::files)
      for (const grant& g : d.exact_files) out.add({g.place, g.allowed.bits(), {}});
    return P == axis_id::files;
  });
  d.presets.reset();
  return d;
}

/// Is it a text in the policy language that hides something in /proc?
bool has_proc_to_show(const document& d, const host_facts& facts) {
  std::vector<grant> files = d.exact_files;
  detail::sort(files);
  return d.exact && !d.exact->is_any<axis_id::files>() && detail::needs_proc(files, facts.system);
}

document with_proc_shown(document d, const host_facts& facts) {
  detail::sort(d.exact_files);
  detail::show_proc(d.exact_files, facts.system);
  d.exact = rewritten(*d.exact, [&]<axis_id P>(auto& out) {
    if constexpr (P == axis_id::files)
      for (const grant& g : d.exact_files) out.add({g.place, g.allowed.bits(), {}});
    return P == axis_id::files;
  });
  return d;
}

} // namespace

document abi_0::expanded(const document& from, const host_facts& facts) {
  document d = with_services_listed(with_globs_expanded(from, facts), facts);
  if (has_presets_to_list(d)) return with_presets_listed(std::move(d), facts);
  if (has_proc_to_show(d, facts)) return with_proc_shown(std::move(d), facts);
  if (!d.exact && d.files && !d.files->empty()) d.files = detail::files_of(d, facts);
  d.presets.emplace();
  return d;
}

named_places abi_0::places_named_by(const document& d, const host_facts& facts) {
  if (names_services(d)) return places_named_by(with_services_listed(d, facts), facts);
  if (has_presets_to_list(d)) return places_named_by(with_presets_listed(d, facts), facts);
  if (has_proc_to_show(d, facts)) return places_named_by(with_proc_shown(d, facts), facts);
  if (d.exact) return {d.exact_workspace, d.exact_files};
  named_places all;
  if (d.workspace) all.workspace = *d.workspace;
  if (d.files && !d.files->empty()) all.files = detail::files_of(d, facts);
  return all;
}

loaded_policy abi_0::lower_lexically(const document& d, const host_facts& facts) {
  const auto is_open = [](const glob_grant& g) { return !g.places; };
  if (std::any_of(d.globs.begin(), d.globs.end(), is_open))
    return lower_lexically(with_globs_expanded(d, facts), facts);
  if (names_services(d)) return lower_lexically(with_services_listed(d, facts), facts);
  if (has_presets_to_list(d)) return *with_presets_listed(d, facts).exact;
  if (has_proc_to_show(d, facts)) return *with_proc_shown(d, facts).exact;
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
