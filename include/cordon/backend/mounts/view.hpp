// SPDX-License-Identifier: BSL-1.0
/// A view: an ordered list of mounts, parents before children, and what it permits. The deepest mount that covers a
/// path decides; without one, the path does not exist.
#pragma once

#include "../../policy/policy.hpp"
#include "mount.hpp"

namespace cordon::mounts {

using list = step_function<path_tree>; ///< the mounts of a view

/// The mounts in a storage that holds nothing else.
template <class S> [[nodiscard]] constexpr list view(const S& s) { return {s.all_slots(), s.size(), s.text()}; }

/// The mount with that index. O(1).
[[nodiscard]] constexpr mount at(list all, std::uint32_t i) { return mount::from_bits(all.at(i).value); }

/// Returns the access to everything beneath a path. O(log n + nesting).
[[nodiscard]] constexpr mount_access access_at(list all, std::string_view place) {
  return at(all, all.find(place)).directory;
}

/// Calls `f(directory)` for each directory between a path and the one above it whose name has `above` bytes, without
/// these two, the outermost first. O(length).
template <class F> constexpr void each_between(std::size_t above, std::string_view place, F&& f) {
  // Does not use find(): g++ 12 cannot compare the address of a temporary policy's text with null in a constant
  // expression.
  for (std::size_t end = above + 1; end < place.size(); ++end)
    if (place[end] == '/') f(place.substr(0, end));
}

/// Returns whether the view allows the operation, if the file at the path has that type. Entries are created and
/// removed in their parent directory; at a mount, both must be writable. Ignores that an existing mount point cannot be
/// removed (EBUSY), which is a gap of the plan: a wider policy has mount points that a stricter one lacks. O(log n +
/// nesting).
[[nodiscard]] constexpr bool permits(list all, right what, std::string_view place,
                                     file_type there = file_type::unknown) {
  const std::uint32_t i = all.find(place);
  if (i == no_slot) return false;
  const mount m = at(all, i);
  if (all.place(i) != place) return rights_of(m.directory).has(what);
  if (what == right::create || what == right::remove)
    return rights_of(m.directory & at(all, all.parent(i)).directory).has(what);
  return rights_of(m.as(there)).has(what);
}

/// Returns whether the directory may be renamed, with every mount in it. A mount point may not (EBUSY). O(log n +
/// nesting).
[[nodiscard]] constexpr bool moves(list all, std::string_view directory) {
  const std::uint32_t i = all.find(directory);
  return i != no_slot && all.place(i) != directory && is_writable(at(all, i).directory);
}

/// Calls `f(directory, moves)` for each directory between a mount and the writable one around it: moving the directory
/// would move the mount. O(components * log n).
template <class F> constexpr void each_guarded_ancestor(list all, F&& f) {
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    std::uint32_t around = all.parent(i);
    while (around != no_slot && at(all, around).bind_to_itself) around = all.parent(around);
    if (at(all, i).bind_to_itself || !is_writable(at(all, around).directory)) continue;
    each_between(all.place(around).size(), all.place(i), [&](std::string_view dir) { f(dir, moves(all, dir)); });
  }
}

} // namespace cordon::mounts
