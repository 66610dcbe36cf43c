// SPDX-License-Identifier: BSL-1.0
/// From the files axis of a policy to a view and its gaps. A partial grant becomes the next weaker mount. A path with
/// fewer rights than the path above becomes a separate mount, so that no grant covers it.
#pragma once

#include "../../gap/plan.hpp"
#include "gap_types.hpp"
#include "private_mounts.hpp"
#include "view.hpp"

namespace cordon::mounts {

/// The gap types of a backend that a view reports. Without `run` if its mounts can be `noexec`.
struct gap_set {
  const gap_type& not_readable;  ///< a directory that lacks read or list is hidden
  const gap_type& partial;       ///< a path that lacks a right to change files is read-only
  const gap_type& mount_point;   ///< a mount point cannot be removed or renamed
  const gap_type& private_tree;  ///< /proc and /dev are private
  const gap_type& connect;       ///< sockets that can be read can be connected to
  const gap_type* run = nullptr; ///< files that can be read can be executed; null: the mechanism denies it
};

/// Appends mounts in the order of the walk and links each to the mount around it.
template <class S> class list_writer {
public:
  constexpr explicit list_writer(S& to) : to_(to) {} ///< Writes to the end of `to`.

  /// Returns the innermost mount so far that covers the path, or `no_slot`. O(n + nesting) for all calls together: the
  /// walk never enters a subtree again.
  constexpr std::uint32_t around(std::string_view place) { return last_ = view(to_).nearest_covering(last_, place); }
  /// Adds a mount at the place; `up` is the index of the mount around it. If the storage is full, sets `is_full`.
  constexpr void add(std::string_view place, mount m, std::uint32_t up) {
    if (!to_.push(place, {}, m.bits())) return void(full_ = true);
    last_ = to_.size() - 1;
    to_.all_slots()[last_].parent = up;
  }
  [[nodiscard]] constexpr bool is_full() const { return full_; }    ///< Was the storage too small?
  [[nodiscard]] constexpr list so_far() const { return view(to_); } ///< The mounts that were added.

private:
  S& to_;
  std::uint32_t last_ = no_slot;
  bool full_ = false;
};

namespace detail {

/// Can a mount keep the path from being written, if the policy does? A device remains writable in a read-only mount
/// (do_dentry_open, fs/open.c), and Landlock allows beneath a path what it allows at the path: below one that may be
/// written, only a mask does. O(nesting).
[[nodiscard]] constexpr bool keeps_write(step_function<path_tree> files, std::uint32_t i) {
  const auto writes = [&](std::uint32_t at) { return rights::from_bits(files[at].value).has(right::write); };
  if (!is_grantable_device(files.place(i)) || writes(i)) return true;
  for (std::uint32_t up = files.parent(i); up != no_slot; up = files.parent(up))
    if (writes(up)) return false;
  return true;
}

/// Returns false if the gaps are full.
template <class Gaps>
constexpr bool note_missing(Gaps& gaps, const gap_set& gaps_of, std::string_view place, rights r, mount m) {
  const bool shown = is_visible(m.directory), some = !(r & changes).empty() && !(changes <= r);
  bool fits = true;
  if (!shown && !r.empty()) fits = gaps.add(gaps_of.not_readable, place);
  if (shown && some) fits = gaps.add(gaps_of.partial, place);
  if (is_visible(m.file) && !r.has(right::run) && gaps_of.run != nullptr) fits = gaps.add(*gaps_of.run, place) && fits;
  return fits;
}

} // namespace detail

/// Writes the view of the files axis into `to`, an empty storage, and its gaps into `gaps`. Returns false if either is
/// full. Binds every directory between a writable mount and a mount inside it to itself: otherwise a process could move
/// the directory with the mount and forge the path. O(n + path components above paths inside writable ones).
template <class S, class Gaps>
[[nodiscard]] constexpr bool compile(step_function<path_tree> files, const gap_set& gaps_of, S& to, Gaps& gaps) {
  list_writer<S> out(to);
  bool fits = true, unconnected = false, own_shown[private_trees.size()]{};
  for (std::uint32_t i = 0; i < files.size() && !out.is_full(); ++i) {
    const std::string_view place = files.place(i);
    const rights r = rights::from_bits(files[i].value);
    const mount m = detail::keeps_write(files, i) ? mount_for(r, {gaps_of.run == nullptr}) : mount{};
    fits = detail::note_missing(gaps, gaps_of, place, r, m) && fits;
    unconnected = unconnected || (is_visible(m.directory) && !r.has(right::connect));
    for (std::size_t k = 0; k < private_trees.size(); ++k)
      own_shown[k] =
          own_shown[k] || (is_visible(m.file) && path::covers(private_trees[k], place) && !is_shown_in_dev(place));

    std::uint32_t up = out.around(place);
    const mount_access above = mounts::at(out.so_far(), up).directory;
    if (m.directory == above && m.file == above && (is_visible(above) || !m.socket)) continue;
    if (is_writable(above))
      each_between(out.so_far().place(up).size(), place, [&](std::string_view dir) {
        out.add(dir, {above, above, true, true}, up);
        fits = gaps.add(gaps_of.mount_point, dir) && fits;
        up = out.around(place);
      });
    out.add(place, m, up);
    if (is_writable(m.directory)) fits = gaps.add(gaps_of.mount_point, place) && fits;
  }
  for (std::size_t k = 0; k < private_trees.size(); ++k)
    if (own_shown[k] || is_visible(access_at(out.so_far(), private_trees[k])))
      fits = gaps.add(gaps_of.private_tree, private_trees[k]) && fits;
  if (unconnected) fits = gaps.add(gaps_of.connect) && fits;
  return fits && !out.is_full();
}

} // namespace cordon::mounts
