// SPDX-License-Identifier: BSL-1.0
/// The mounts of a view that are made, in their order: parents before children.
#pragma once

#include "private_mounts.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace cordon::mounts {

/// How a mount of the view is made.
enum class mount_method : std::uint8_t {
  nothing,
  bind,           ///< the host's file; if bound to itself, also a path that does not exist yet
  mask_file,      ///< a file that cannot be opened
  mask_directory, ///< an empty tmpfs
  way,            ///< the same, at a path that is only traversed
};

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 5> mount_method_names{"nothing", "bind", "mask_file", "mask_directory",
                                                                    "way"};
/// Returns: the name of the enumerator.
[[nodiscard]] constexpr std::string_view name(mount_method m) {
  return mount_method_names[static_cast<std::size_t>(m)];
}

/// A mount that is made, as `each_planned_mount` passes it.
struct planned_mount {
  mount_method how = mount_method::nothing; ///< how it is made
  std::string_view place{};                 ///< where it is made
  mounts::mount_access access{};            ///< of a bind
  file_type there{};                        ///< the type of the file there, as `look` returned it
  bool inside = false;                      ///< the mount around it shows the host's files
  mounts::mount_access around{};            ///< of that mount
  bool bind_to_itself = false; ///< bound to itself, so that a directory above a restriction cannot be moved away
};

/// If a restriction inside a writable mount does not exist, a mask takes its path, so that nothing can be created
/// there. The process that makes the mounts also creates the mount point.
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

/// Calls `f(planned_mount)`, first for a visible root. `look(place)` returns the type of the file at a path. Calls `f`
/// for the directories above that path, then for the path, and then the next `look`. O(n), and the path components.
template <class Look, class F> constexpr void each_planned_mount(list all, Look&& look, F&& f) {
  std::string_view last;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const std::string_view place = all.place(i);
    const file_type there = look(place);
    const mount_method how = method_of(all, i, there);
    if (how == mount_method::nothing) continue;
    const mount_access around = access_around(all, i);
    const bool inside = is_visible(around);
    if (!inside) {
      each_on_the_way(all, i, [&](std::string_view dir) {
        if (!path::covers(dir, last)) f(planned_mount{mount_method::way, dir, {}, {}});
      });
      last = place;
    }
    f(planned_mount{how, place, at(all, i).as(there), there, inside, around, at(all, i).bind_to_itself});
  }
}

/// Calls `f(place)` for the paths in /proc that are masked because the policy hides them. O(n).
template <class F> constexpr void each_masked_in_proc(list all, F&& f) {
  for (std::uint32_t i = 0; i < all.size(); ++i)
    if (path::covers("/proc", all.place(i)) && is_made(all, i, at(all, i).directory)) f(all.place(i));
}

} // namespace cordon::mounts
