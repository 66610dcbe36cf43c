// SPDX-License-Identifier: BSL-1.0
/// The common part of the rules of every mechanism that makes mounts, and the queries that all of them answer the same.
#pragma once

#include "private_mounts.hpp"

namespace cordon::mounts {

/// The rules of a mechanism derive from these and add what is not a mount.
template <class Storage_> struct rules {
  using storage = Storage_; ///< what holds the lists
  Storage_ mounts{};        ///< mounts::view: path -> mount, parents before children

  /// A list of the rules as a step function.
  [[nodiscard]] static constexpr list view(const Storage_& s) { return mounts::view(s); }
  /// Calls `f(list)` for each list of the rules, so that a proof can drop an entry.
  template <class Rules, class F> static constexpr void each_list(Rules& r, F&& f) { f(r.mounts); }
  /// Is a mount made for the entry? A proof drops no other.
  [[nodiscard]] static constexpr bool is_stated(const Storage_& s, std::uint32_t i) {
    return is_made(view(s), i, at(view(s), i).directory);
  }
};

/// Returns whether the view allows the operation at the path, if it has that file type. O(log n + nesting).
template <class S>
[[nodiscard]] constexpr bool permits(const rules<S>& r, right what, std::string_view place,
                                     file_type there = file_type::unknown) {
  return permits(view(r.mounts), what, place, there);
}

/// The same as mounts::each_guarded_ancestor of the view.
template <class S, class F> constexpr void each_guarded_ancestor(const rules<S>& r, F&& f) {
  each_guarded_ancestor(view(r.mounts), f);
}

/// Calls `f(place)` for every path with a mount. O(n).
template <class S, class F> constexpr void each_place(const rules<S>& r, F&& f) {
  const list all = view(r.mounts);
  for (std::uint32_t i = 0; i < all.size(); ++i) f(all.place(i));
}

} // namespace cordon::mounts
