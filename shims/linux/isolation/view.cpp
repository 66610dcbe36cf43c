// SPDX-License-Identifier: BSL-1.0
#include "view.hpp"

#include "../files/path_resolver.hpp"
#include "own_view.hpp"

#include <cordon/backend/mounts/planned_mount.hpp>
#include <cordon/policy/preset.hpp>

#include <algorithm>
#include <utility>

namespace cordon::linux_shim {
namespace {

using mounts::planned_mount, mounts::mount_method;
using namespace std::string_literals;

[[nodiscard]] std::uint64_t attributes_of(mounts::mount_access k) {
  return dead | (is_writable(k) ? 0 : MOUNT_ATTR_RDONLY) | (is_executable(k) ? 0 : MOUNT_ATTR_NOEXEC);
}

void add_mount(view_writer& to, const planned_mount& m, found_inode there, mount_points& points) {
  if (path::covers("/proc", m.place)) return;
  if (m.how == mount_method::way) return void(to.add_made(view_act::directory, m.place, 0111));
  sure(there, m.place);
  // Without a mount the program could create the missing path.
  if (points.stand(m)) there = sure(look(std::string(m.place)), m.place);
  if (m.how == mount_method::mask_directory) return void(to.add_mask(m.place).target = there.is);
  if (m.how == mount_method::mask_file) return void(to.add_mask_file(m.place).target = there.is);
  if (m.bind_to_itself) return void(to.add(view_act::again, m.place).target = there.is);
  if (!m.inside && m.place != "/")
    to.add_made(there.what == file_type::directory ? view_act::directory : view_act::file, m.place, 0111);
  view_step& made = to.add_bind(m.place, m.place, there.is, attributes_of(m.access));
  if (m.inside) made.target = there.is;
}

} // namespace

heap placed(const heap& from, const std::string& temp) {
  const mounts::list all = mounts::view(from);
  std::vector<std::pair<std::string, mounts::mount>> places;
  for (std::uint32_t i = 0; i < all.size(); ++i)
    if (all.place(i) != run_temp) places.emplace_back(all.place(i), mounts::at(all, i));
    else if (!temp.empty()) places.emplace_back(temp, mounts::at(all, i));
  std::sort(places.begin(), places.end(),
            [](const auto& a, const auto& b) { return path::order(a.first, b.first) < 0; });
  heap to;
  mounts::list_writer<heap> out(to);
  for (const auto& [place, m] : places) out.add(place, m, out.around(place));
  return to;
}

std::vector<link_on_the_way> missing_links(mounts::list all, const std::vector<link_on_the_way>& links) {
  std::vector<link_on_the_way> missing;
  for (const link_on_the_way& l : links) {
    bool shown = path::covers(mounts::private_trees[0], l.place) || path::covers(mounts::private_trees[1], l.place);
    for (const mounts::link& own : mounts::usr_links) shown |= l.place == own.place;
    for (std::string_view around = l.place; !shown && around != "/";) {
      around = path::parent(around);
      shown = is_visible(mounts::access_at(all, around));
    }
    if (!shown && !is_visible(mounts::access_at(all, l.place))) missing.push_back(l);
  }
  return missing;
}

view::view(const namespaces::rules<heap>& rules, const std::string& temp, const std::vector<link_on_the_way>& links) {
  const heap places = placed(rules.mounts, temp);
  const mounts::list all = mounts::view(places);
  const bool whole = is_visible(mounts::access_at(all, "/"));
  view_writer to;
  to.add(view_act::isolate);
  if (!whole) {
    to.add_fresh("/", "tmpfs", mode_option("0111"), still);
    add_own_places(to, rules, all, whole);
  }
  found_inode last;
  mounts::each_planned_mount(
      all, [&](std::string_view place) { return (last = look(std::string(place))).what; },
      [&](const planned_mount& m) {
        add_mount(to, m, last, points_);
        if (m.place == "/") add_own_places(to, rules, all, whole);
      });
  to.seal_masks();
  for (const link_on_the_way& l : missing_links(all, links)) {
    mounts::each_between(0, l.place, [&](std::string_view way) {
      if (way != mounts::own_temp) to.add_made(view_act::directory, way, 0111).optional = true;
    });
    to.add_link(l.place, l.target).optional = true;
  }
  if (!whole) to.add(view_act::seal);
  to.add(view_act::enter);
  texts_ = std::move(to.texts);
  steps_ = std::move(to.steps);
}

std::string view::describe_step(std::uint32_t at) const {
  if (at >= steps_.size()) return "nothing";
  const view_step& s = steps_[at];
  const std::string here = "/"s + s.place;
  switch (s.what) {
  case view_act::isolate: return "keep the mounts apart from the machine's";
  case view_act::directory: return "make the directory " + joined(here, s.name);
  case view_act::file: return "make the file " + joined(here, s.name);
  case view_act::link: return "make the link " + joined(here, s.name);
  case view_act::bind: return "mount "s + s.from + " on " + here;
  case view_act::again: return "mount " + here + " on itself";
  case view_act::fresh: return "mount a new "s + s.from + " on " + here;
  case view_act::seal: return "make " + here + " read-only";
  case view_act::enter: return "enter the view";
  }
  return {};
}

} // namespace cordon::linux_shim
