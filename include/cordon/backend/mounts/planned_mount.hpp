// SPDX-License-Identifier: BSL-1.0
/// The mounts of a view that are really made, in the order in which they are made: parents before children.
#pragma once

#include "private_mounts.hpp"

namespace cordon::mounts {

/// How a mount of the view is said.
enum class mount_method : std::uint8_t {
  nothing,
  bind,           ///< the machine's; a pin also where nothing is there yet
  mask_file,      ///< what cannot be opened
  mask_directory, ///< an empty directory in memory
  way,            ///< the same, in a place that is only walked through
};

struct planned_mount {
  mount_method how = mount_method::nothing;
  std::string_view place{};
  mounts::mount_access access{}; ///< of a bind
  file_type there{};
  bool inside = false; ///< something of the machine is around it
  bool bind_to_itself = false;
};

/// A restriction inside something writable whose place is absent is masked, so that nothing can be made there: whoever
/// makes the mounts makes the mount point too.
[[nodiscard]] constexpr mount_method method_of(list all, std::uint32_t i, file_type there) {
  const mount m = at(all, i);
  const mount_access k = m.as(there), above = access_around(all, i);
  const bool absent = there == file_type::absent;
  if (!is_made(all, i, k)) return mount_method::nothing;
  if (!is_visible(above))
    return is_visible(k) && !absent && !m.bind_to_itself ? mount_method::bind : mount_method::nothing;
  if (absent && !m.bind_to_itself)
    return is_writable(above) && !is_writable(k) ? mount_method::mask_directory : mount_method::nothing;
  if (is_visible(k)) return mount_method::bind;
  return there == file_type::file || there == file_type::socket ? mount_method::mask_file
                                                                : mount_method::mask_directory;
}

/// Calls `f(planned_mount)`; a root that is shown comes first. `look(place)` tells what lies at a place; `f` is told of
/// that place, after the ways to it, before the next look. O(n), and the components on the way.
template <class Look, class F> constexpr void each_planned_mount(list all, Look&& look, F&& f) {
  std::string_view last;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const std::string_view place = all.place(i);
    const file_type there = look(place);
    const mount_method how = method_of(all, i, there);
    if (how == mount_method::nothing) continue;
    const bool inside = is_visible(access_around(all, i));
    if (!inside) {
      each_on_the_way(all, i, [&](std::string_view dir) {
        if (!path::covers(dir, last)) f(planned_mount{mount_method::way, dir, {}, {}});
      });
      last = place;
    }
    f(planned_mount{how, place, at(all, i).as(there), there, inside, at(all, i).bind_to_itself});
  }
}

/// Calls `f(place)` for the places in /proc that are masked because the policy hides them. O(n).
template <class F> constexpr void each_masked_in_proc(list all, F&& f) {
  for (std::uint32_t i = 0; i < all.size(); ++i)
    if (path::covers("/proc", all.place(i)) && is_made(all, i, at(all, i).directory)) f(all.place(i));
}

} // namespace cordon::mounts
