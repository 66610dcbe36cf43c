// SPDX-License-Identifier: BSL-1.0
/// The last pass of the compiler: drops rules without an effect.
#pragma once

#include "rules.hpp"

namespace cordon::landlock::detail {

/// Drops rules whose bits other rules already give: a policy distinguishes more rights than an ABI. O(n * (log n +
/// nesting)).
template <class S> constexpr void keep_needed(rules<S>& r) {
  // `given(place, kept, above)` returns the bits that the path has without its entry; `above` is the nearest kept
  // entry.
  const auto filter = [&](S& list, auto&& given) {
    S kept{};
    const auto all = r.view(list);
    for (std::uint32_t i = 0, above = no_slot; i < all.size(); ++i) {
      const entry e = all[i];
      above = r.view(kept).nearest_covering(above, e.place);
      if ((e.value & ~given(e.place, r.view(kept), above)) == 0) continue;
      (void)kept.push(e.place, {}, e.value); // cannot fail: no more entries than before
      kept.all_slots()[kept.size() - 1].parent = above;
      above = kept.size() - 1;
    }
    list = kept;
  };
  filter(r.siblings, [&](std::string_view dir, auto&&, std::uint32_t) { return bits_at(r, dir); });
  filter(r.except, [&](std::string_view place, auto&&, std::uint32_t) {
    const auto siblings = r.view(r.siblings);
    const entry dir = siblings.at(siblings.find(path::parent(place)));
    return dir.place == path::parent(place) && (dir.value & ~bits_at(r, place)) != 0 ? 0U : ~0U;
  });
  filter(r.grants, [&](std::string_view place, step_function<path_tree> kept, std::uint32_t above) {
    std::uint32_t bits = bits_of_siblings(r, place);
    for (; above != no_slot; above = kept.parent(above)) bits |= kept[above].value;
    return bits;
  });
}

} // namespace cordon::landlock::detail
