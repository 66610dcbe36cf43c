// SPDX-License-Identifier: BSL-1.0
/// The mounts of a container in the order in which they are made, parents before children.
#pragma once

#include "../mounts/own_places.hpp"
#include "rules.hpp"

namespace cordon::container {

/// How a mount of the view is said.
enum class shape : std::uint8_t {
  nothing,
  bind,           ///< the machine's
  mask_file,      ///< /dev/null
  mask_directory, ///< an empty directory in memory
  way,            ///< the same, in a place that is only walked through
};

struct made_mount {
  shape how = shape::nothing;
  std::string_view place{};
  mounts::kind kind{}; ///< of a bind
  mounts::inode there{};
};

namespace detail {

/// A source that is not there keeps the container from starting. Where that is known, a place with less than what is
/// around it is masked, so that nothing can be made there: the runtime makes the mount point.
[[nodiscard]] constexpr shape shape_of(mounts::list all, std::uint32_t i, mounts::inode there) {
  const mounts::mount m = mounts::at(all, i);
  const mounts::kind k = m.as(there), above = mounts::at(all, all.up(i)).directory;
  const std::string_view place = all.place(i);
  const bool absent = there == mounts::inode::absent;
  if (!mounts::is_made(place, k) || path::covers("/proc", place)) return shape::nothing;
  if (!is_visible(above)) return is_visible(k) && !absent ? shape::bind : shape::nothing;
  if (absent && !m.pin) return is_writable(above) && !is_writable(k) ? shape::mask_directory : shape::nothing;
  if (is_visible(k)) return shape::bind;
  const bool file = there == mounts::inode::file || there == mounts::inode::socket;
  return file ? shape::mask_file : shape::mask_directory;
}

} // namespace detail

/// Calls `f(made_mount)`; a root that is shown comes first. `look(place)` tells what lies at a place. O(n), and the
/// components on the way.
template <class S, class Look, class F> constexpr void each_mount(const rules<S>& r, Look&& look, F&& f) {
  const mounts::list all = mounts::view(r.mounts);
  std::string_view last;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const std::string_view place = all.place(i);
    const mounts::inode there = look(place);
    const shape how = detail::shape_of(all, i, there);
    if (how == shape::nothing) continue;
    if (!is_visible(mounts::at(all, all.up(i)).directory)) {
      std::uint32_t up = all.up(i);
      while (up != no_slot && !is_visible(mounts::at(all, all.up(up)).directory)) up = all.up(up);
      mounts::each_between(up == no_slot ? 1 : all.place(up).size(), place, [&](std::string_view dir) {
        if (!path::covers(dir, last) && dir != mounts::own_temp) f(made_mount{shape::way, dir, {}, {}});
      });
      last = place;
    }
    f(made_mount{how, place, mounts::at(all, i).as(there), there});
  }
}

/// Calls `f(place)` for the places in /proc that are masked because the policy hides them.
template <class S, class F> constexpr void each_masked_in_proc(const rules<S>& r, F&& f) {
  const mounts::list all = mounts::view(r.mounts);
  for (std::uint32_t i = 0; i < all.size(); ++i)
    if (path::covers("/proc", all.place(i)) && mounts::is_made(all.place(i), mounts::at(all, i).directory))
      f(all.place(i));
}

} // namespace cordon::container
