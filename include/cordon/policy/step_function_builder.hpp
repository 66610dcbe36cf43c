// SPDX-License-Identifier: BSL-1.0
/// Writes one step function at the end of a storage. Entries are added in any order; `close` then sorts them and links
/// each to its parent entry. It rejects duplicate places and drops each entry that has the same value as its parent.
#pragma once

#include "../detail/same.hpp"
#include "../detail/sort.hpp"
#include "diagnostic.hpp"
#include "step_function.hpp"

namespace cordon {

/// Builds a step function at the end of a storage.
template <class Tree, class Storage> class step_function_builder {
public:
  /// Writes behind what the storage holds.
  constexpr explicit step_function_builder(Storage& to) : to_(to), begin_(to.size()) {}

  /// Adds an entry, whose `place` must be valid in the tree. If the storage is full, `close` returns
  /// `policy_too_large`.
  constexpr void add(entry e) {
    full_ = !to_.push(e.place, e.payload, e.value) || full_;
    linked_ = false;
  }

  /// Adds the entries of another function. O(n).
  constexpr void add_all(step_function<Tree> from) {
    const bool first = to_.size() == begin_;
    for (std::uint32_t i = 0; i < from.size(); ++i) add(from[i]);
    if (!first || full_) return;
    for (std::uint32_t i = 0; i < from.size(); ++i) to_.all_slots()[begin_ + i].parent = from.parent(i);
    linked_ = true;
  }

  /// Records that the caller ran out of room before it could add an entry; `close` then returns `policy_too_large`.
  constexpr void note_full() { full_ = true; }

  /// Adds the pointwise meet of two step functions. O(n + m).
  constexpr void add_meet(step_function<Tree> a, step_function<Tree> b) {
    // Drops redundant entries at once if nothing was added before: they would need room in the storage for a while.
    const bool alone = to_.size() == begin_;
    std::uint32_t over = no_slot;
    merge(a, b, [&](std::string_view place, std::uint32_t i, std::uint32_t j) {
      const bool fits = Tree::meet(a.at(i), b.at(j), [&](entry e) {
        e.place = place;
        if (!alone) return add(e);
        const step_function<Tree> done(to_.all_slots() + begin_, to_.size() - begin_, to_.text());
        over = done.nearest_covering(over, place);
        const entry above = done.at(over);
        if (e.value == above.value && detail::same(e.payload, above.payload)) return;
        add(e);
        if (full_) return;
        to_.all_slots()[to_.size() - 1].parent = over;
        over = to_.size() - 1 - begin_;
      });
      full_ = !fits || full_;
      return !full_;
    });
    linked_ = alone && !full_;
  }

  /// Ends the function. O(n) if the entries came in the order of the walk, else O(n log n).
  constexpr diagnostic close() { return finish(true); }
  /// The same for a list that is not a step function: keeps redundant entries.
  constexpr diagnostic close_list() { return finish(false); }

private:
  constexpr diagnostic finish(bool drop) {
    if (full_) return {diagnostic_code::policy_too_large};
    if (linked_) return {};
    slot* const s = to_.all_slots() + begin_;
    const std::uint32_t n = to_.size() - begin_;
    const auto place = [&](const slot& x) { return std::string_view(to_.text() + x.first, x.length); };
    const auto before = [&](const slot& a, const slot& b) { return Tree::order(place(a), place(b)) < 0; };
    for (std::uint32_t i = 1; i < n; ++i)
      if (before(s[i], s[i - 1])) {
        detail::sort(s, n, before);
        break;
      }
    std::uint32_t kept = 0;
    std::uint32_t over = no_slot;
    std::string_view last;
    for (std::uint32_t i = 0; i < n; ++i) {
      const slot x = s[i];
      if (i != 0 && detail::same(place(x), last)) return {diagnostic_code::duplicate_place, 0, 0, last};
      last = place(x);
      const step_function<Tree> done(s, kept, to_.text());
      over = done.nearest_covering(over, last);
      if (drop && says_the_same(x, done.at(over))) continue;
      s[kept] = {x.first, x.length, over, x.value};
      over = kept++;
    }
    to_.truncate(begin_ + kept);
    return {};
  }

  constexpr bool says_the_same(const slot& x, entry above) const {
    return x.value == above.value &&
           detail::same({to_.text() + x.first + x.length, Tree::payload_size(x.value)}, above.payload);
  }

  Storage& to_;
  std::uint32_t begin_;
  bool full_ = false;
  bool linked_ = false; ///< the entries are an unchanged copy of one function
};

} // namespace cordon
