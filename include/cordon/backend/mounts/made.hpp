// SPDX-License-Identifier: BSL-1.0
/// The mounts of a view that are really made, in the order in which they are made: parents before children.
#pragma once

#include "own_places.hpp"

namespace cordon::mounts {

/// How a mount of the view is said.
enum class shape : std::uint8_t {
  nothing,
  bind,           ///< the machine's; a pin also where nothing is there yet
  mask_file,      ///< what cannot be opened
  mask_directory, ///< an empty directory in memory
  way,            ///< the same, in a place that is only walked through
};

struct made_mount {
  shape how = shape::nothing;
  std::string_view place{};
  mounts::kind kind{}; ///< of a bind
  inode there{};
  bool inside = false; ///< something of the machine is around it
  bool pin = false;
};

/// A restriction inside something writable whose place is absent is masked, so that nothing can be made there: whoever
/// makes the mounts makes the mount point too.
[[nodiscard]] constexpr shape shape_of(list all, std::uint32_t i, inode there) {
  const mount m = at(all, i);
  const kind k = m.as(there), above = kind_around(all, i);
  const bool absent = there == inode::absent;
  if (!is_made(all, i, k)) return shape::nothing;
  if (!is_visible(above)) return is_visible(k) && !absent && !m.pin ? shape::bind : shape::nothing;
  if (absent && !m.pin) return is_writable(above) && !is_writable(k) ? shape::mask_directory : shape::nothing;
  if (is_visible(k)) return shape::bind;
  return there == inode::file || there == inode::socket ? shape::mask_file : shape::mask_directory;
}

/// Calls `f(made_mount)`; a root that is shown comes first. `look(place)` tells what lies at a place; `f` is told of
/// that place, after the ways to it, before the next look. O(n), and the components on the way.
template <class Look, class F> constexpr void each_made(list all, Look&& look, F&& f) {
  std::string_view last;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const std::string_view place = all.place(i);
    const inode there = look(place);
    const shape how = shape_of(all, i, there);
    if (how == shape::nothing) continue;
    const bool inside = is_visible(kind_around(all, i));
    if (!inside) {
      each_on_the_way(all, i, [&](std::string_view dir) {
        if (!path::covers(dir, last)) f(made_mount{shape::way, dir, {}, {}});
      });
      last = place;
    }
    f(made_mount{how, place, at(all, i).as(there), there, inside, at(all, i).pin});
  }
}

/// Calls `f(place)` for the places in /proc that are masked because the policy hides them. O(n).
template <class F> constexpr void each_masked_in_proc(list all, F&& f) {
  for (std::uint32_t i = 0; i < all.size(); ++i)
    if (path::covers("/proc", all.place(i)) && is_made(all, i, at(all, i).directory)) f(all.place(i));
}

} // namespace cordon::mounts
