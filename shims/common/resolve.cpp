// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/resolve.hpp>

#include <cordon/run/links/link_checks.hpp>
#include <cordon/run/project/protected_settings.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cordon {

loaded_policy cordon::abi_0::resolve(const loaded_policy& p, const link_facts& facts,
                                     std::vector<link_on_the_way>* on_the_way) {
  std::vector<detail::found_place> workspace = detail::find_places(p.workspace(), facts),
                                   files = detail::find_places(p.files(), facts);
  detail::drop_planted(workspace, p.workspace(), facts);
  detail::drop_planted(files, p.files(), facts);
  loaded_policy to = detail::with_places(p, workspace, files);
  detail::symlink_checker tools(axis_id::workspace, p.workspace(), workspace, facts),
      processes(axis_id::files, p.files(), files, facts);
  detail::clamp_to_named<axis_id::workspace>(to, facts.named.workspace, facts, p.workspace());
  std::vector<link_on_the_way> links;
  detail::clamp_to_named<axis_id::files>(to, facts.named.files, facts, p.files(), &links);
  if (on_the_way != nullptr) *on_the_way = detail::links_to_grants(files, std::move(links));
  detail::check_judged(to, facts);
  tools.mark(to);
  processes.mark(to);
  const auto carried = [](const detail::found_place& f) { return f.is_carried(); };
  if (std::any_of(workspace.begin(), workspace.end(), carried) || std::any_of(files.begin(), files.end(), carried)) {
    const loaded_policy others = detail::with_places(p, workspace, files);
    tools.judge(to, to.workspace(), others.workspace());
    processes.judge(to, to.files(), others.files());
  }
  detail::check_planted(workspace, facts);
  detail::check_planted(files, facts);
  return to;
}

loaded_policy cordon::abi_0::resolve(const loaded_policy& p) { return resolve(p, link_facts{}); }

namespace {

/// A place, and the most rights that are left there.
struct bound {
  std::string_view place;
  rights most;
};

/// The policy with at most these rights at and below each place, in both path axes.
[[nodiscard]] loaded_policy bounded(const loaded_policy& p, const std::vector<bound>& bounds) {
  std::string text = "/";
  std::vector<slot> slots{{0, 1, no_slot, verb::everything.bits()}};
  for (const bound& b : bounds) {
    slots.push_back(
        {static_cast<std::uint32_t>(text.size()), static_cast<std::uint32_t>(b.place.size()), 0, b.most.bits()});
    text += b.place;
  }
  const step_function<path_tree> at_most(slots.data(), static_cast<std::uint32_t>(slots.size()), text.data());
  loaded_policy to;
  to.plain() = p.plain();
  detail::each_part([&]<axis_id P>() {
    const diagnostic d = to.write<P>([&](auto& out) {
      const auto all = p.view<P>();
      if constexpr (P == axis_id::workspace || P == axis_id::files) out.add_meet(all, at_most);
      else out.add_all(all);
    });
    return d.code == diagnostic_code::ok;
  });
  return to;
}

} // namespace

loaded_policy cordon::abi_0::with_protected(const loaded_policy& p, const std::vector<project_setting>& settings) {
  std::vector<bound> bounds;
  for (const project_setting& s : settings) bounds.push_back({s.place, verb::run});
  return bounded(p, bounds);
}

void cordon::abi_0::hide_from_programs(loaded_policy& p, const std::string& place) {
  constexpr rights changes = right::write | right::create | right::remove | right::attributes;
  const auto is_changed = [&](rights r) { return !(r & changes).empty(); };
  if (p.is_any<axis_id::files>() || !is_changed(rights::from_bits(p.files().lookup(place)))) return;
  p = bounded(p, {{place, verb::hide}});
}

} // namespace cordon
