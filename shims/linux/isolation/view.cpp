// SPDX-License-Identifier: BSL-1.0
#include "view.hpp"

#include "../files/path_resolver.hpp"
#include "own_view.hpp"

#include <cordon/backend/mounts/planned_mount.hpp>
#include <cordon/policy/default_devices.hpp>
#include <cordon/policy/preset.hpp>

#include <algorithm>
#include <utility>

namespace cordon::linux_shim {
namespace {

using mounts::planned_mount, mounts::mount_method;
using namespace std::string_literals;

// A device that is mounted read-only remains writable (do_dentry_open, fs/open.c), and keeps its mode and times.
[[nodiscard]] std::uint64_t attributes_of(const planned_mount& m) {
  if (is_grantable_device(m.place)) return frozen & ~std::uint64_t{MOUNT_ATTR_NODEV};
  return dead | (is_writable(m.access) ? 0 : MOUNT_ATTR_RDONLY) | (is_executable(m.access) ? 0 : MOUNT_ATTR_NOEXEC);
}

void add_mount(view_writer& to, const planned_mount& m, found_inode there, mount_points& points) {
  if (path::covers("/proc", m.place)) return;
  if (m.how == mount_method::way) return void(to.add_made(view_act::directory, m.place, 0111));
  sure(there, m.place);
  there = points.stand(m, there); // without a mount the program could create the missing path
  // What may be read, and did not exist, is now an empty mount point, which needs no mask.
  const bool shows_point = m.there == file_type::absent && is_visible(m.access);
  if (m.how == mount_method::mask_directory && !shows_point) return void(to.add_mask(m.place).target = there.is);
  if (m.how == mount_method::mask_file) return void(to.add_mask_file(m.place).target = there.is);
  if (m.bind_to_itself) return void(to.add(view_act::again, m.place).target = there.is);
  if (!m.inside && m.place != "/")
    to.add_made(there.what == file_type::directory ? view_act::directory : view_act::file, m.place, 0111);
  if (m.inside && (m.access & m.around) == m.access) {
    view_step& weaker = to.add(view_act::again, m.place);
    weaker.target = there.is;
    weaker.attributes = attributes_of(m);
    return;
  }
  view_step& made = to.add_bind(m.place, m.place, there.is, attributes_of(m));
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
  const bool named = std::any_of(links.begin(), links.end(), [](const auto& l) { return l.place == mounts::var_run; });
  if (!named && mounts::wants_var_run(all))
    missing.push_back({std::string(mounts::var_run), std::string(mounts::own_run)});
  return missing;
}

bool can_show_at_tmp(mounts::list all, const std::vector<link_on_the_way>& links) {
  bool free = mounts::has_own(all, mounts::own_temp);
  for (std::uint32_t i = 0; i < all.size(); ++i) free &= !path::covers(mounts::own_temp, all.place(i));
  for (const link_on_the_way& l : links) free &= !path::covers(mounts::own_temp, l.place);
  return free;
}

view::view(const namespaces::rules<heap>& rules, const view_options& options) : points_(options.settings) {
  const std::string temp_at_tmp = options.at_tmp ? options.temp : std::string();
  const heap places = placed(rules.mounts, options.temp);
  const mounts::list all = mounts::view(places);
  const bool whole = is_visible(mounts::access_at(all, "/"));
  view_writer to;
  to.add(view_act::isolate);
  if (!whole) {
    to.add_fresh("/", "tmpfs", mode_option("0111"), still);
    add_own_places(to, rules, all, whole, temp_at_tmp);
  }
  found_inode last;
  mounts::each_planned_mount(
      all, [&](std::string_view place) { return (last = look(std::string(place))).what; },
      [&](const planned_mount& m) {
        add_mount(to, m, last, points_);
        if (m.place == "/") add_own_places(to, rules, all, whole, temp_at_tmp);
      });
  points_.close();
  to.add(view_act::seal, "/dev");
  to.seal_masks();
  for (const link_on_the_way& l : missing_links(all, options.links)) {
    mounts::each_between(0, l.place, [&](std::string_view way) {
      if (!mounts::is_own_directory(way)) to.add_made(view_act::directory, way, 0111).optional = true;
    });
    to.add_link(l.place, l.target).optional = true;
  }
  if (mounts::has_own(all, mounts::own_run))
    for (const auto& [place, mode] : runtime_directories())
      to.add_made(view_act::directory, place, mode).optional = true;
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
