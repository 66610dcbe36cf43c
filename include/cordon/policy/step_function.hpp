// SPDX-License-Identifier: BSL-1.0
/// Step functions on trees. Paths, hosts, addresses and names all form trees in which two subtrees are nested or
/// disjoint. A step function lists places with values. A place has the value of its most specific covering entry, or
/// "nothing" if no entry covers it. The entries are in the order of a walk (a place before the places that it covers),
/// so that meet and `<=` are merges.
///
/// A tree is a type with
///   order(a, b)    the order of the walk,
///   covers(a, b)   is b in the subtree of a,
///   meet(a, b, f)  calls f with an entry whose value is what both entries allow; false if no entry can hold it,
///   within(a, b)   does the first allow no more than the second.
#pragma once

#include "../detail/index_iterator.hpp"
#include "../detail/partition_point.hpp"
#include "../detail/same.hpp"
#include "storage.hpp"

#include <compare>
#include <cstdint>
#include <string_view>

namespace cordon {

/// A place with its value. `value` 0 is "nothing"; `payload` is text of the value (an environment variable's content).
struct entry {
  std::string_view place{};   ///< a path, host or name
  std::uint32_t value = 0;    ///< what is allowed there; 0: nothing
  std::string_view payload{}; ///< text of the value
};

/// Trees whose values are sets of bits.
struct bits {
  /// What both entries allow.
  [[nodiscard]] static constexpr entry meet(entry a, entry b) { return {a.place, a.value & b.value, {}}; }
  /// Calls `f` with what both entries allow.
  template <class F> static constexpr bool meet(entry a, entry b, F&& f) {
    f(meet(a, b));
    return true;
  }
  /// Does the first entry allow no more than the second?
  [[nodiscard]] static constexpr bool within(entry a, entry b) { return (a.value & ~b.value) == 0; }
  /// Such entries have no text.
  [[nodiscard]] static constexpr std::uint32_t payload_size(std::uint32_t) { return 0; }
};

/// A view of a step function in a storage that the caller keeps alive; as cheap to copy as a string_view.
template <class Tree> class step_function {
public:
  constexpr step_function() = default;
  /// A view of `size` slots and their text.
  constexpr step_function(const slot* all_slots, std::uint32_t size, const char* text)
      : slots_(all_slots), size_(size), text_(text) {}

  [[nodiscard]] constexpr std::uint32_t size() const { return size_; } ///< The number of entries.
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }    ///< Is there no entry?
  /// Index of the nearest entry around this one, or `no_slot`. O(1).
  [[nodiscard]] constexpr std::uint32_t parent(std::uint32_t i) const { return slots_[i].parent; }
  /// The place of the entry with that index.
  [[nodiscard]] constexpr std::string_view place(std::uint32_t i) const {
    return {text_ + slots_[i].first, slots_[i].length};
  }
  /// The entry with that index.
  [[nodiscard]] constexpr entry operator[](std::uint32_t i) const {
    const slot& s = slots_[i];
    return {place(i), s.value, {text_ + s.first + s.length, Tree::payload_size(s.value)}};
  }
  /// The entries in the order of the walk. Iterators are valid as long as the storage, also without this view.
  [[nodiscard]] constexpr auto begin() const { return detail::index_iterator<entries>({*this}, 0); }
  /// The end of the entries.
  [[nodiscard]] constexpr auto end() const { return detail::index_iterator<entries>({*this}, size_); }

  /// The entry with that index, or "nothing" for `no_slot`.
  [[nodiscard]] constexpr entry at(std::uint32_t i) const { return i == no_slot ? entry{} : (*this)[i]; }

  /// Index of the first entry whose place is after this one in the order of the walk, or `size()`. O(log n).
  [[nodiscard]] constexpr std::uint32_t upper_bound(std::string_view where) const {
    return detail::partition_point(size_, [&](std::uint32_t i) { return Tree::order(place(i), where) <= 0; });
  }

  /// Index of the most specific entry that covers the place, or `no_slot`. O(log n + nesting).
  [[nodiscard]] constexpr std::uint32_t find(std::string_view where) const {
    const std::uint32_t after = upper_bound(where);
    return nearest_covering(after == 0 ? no_slot : after - 1, where);
  }

  /// The value at a place; 0 if no entry covers it. O(log n + nesting).
  [[nodiscard]] constexpr std::uint32_t lookup(std::string_view where) const { return at(find(where)).value; }

  /// The same list as a step function on another tree, which must have the same places, order and payloads.
  template <class Other> [[nodiscard]] constexpr step_function<Other> as() const { return {slots_, size_, text_}; }

  /// Starts at an entry and follows parents to the first that covers the place.
  [[nodiscard]] constexpr std::uint32_t nearest_covering(std::uint32_t from, std::string_view where) const {
    while (from != no_slot && !Tree::covers(place(from), where)) from = parent(from);
    return from;
  }

private:
  struct entries;

  const slot* slots_ = nullptr;
  std::uint32_t size_ = 0;
  const char* text_ = nullptr;
};

/// The entry of an index, for iterators.
template <class Tree> struct step_function<Tree>::entries {
  step_function of{}; ///< the function

  [[nodiscard]] constexpr entry operator()(std::uint32_t i) const { return of[i]; } ///< The entry with that index.
};

/// A step function of a temporary policy. It answers in the expression that makes it, and returns no view: a variable of
/// this type has no use.
template <class Tree> class step_function_of_temporary {
public:
  /// Wraps the function of a policy that ends with the expression.
  constexpr explicit step_function_of_temporary(step_function<Tree> all) : all_(all) {}

  [[nodiscard]] constexpr std::uint32_t size() && { return all_.size(); } ///< The number of entries.
  [[nodiscard]] constexpr bool empty() && { return all_.empty(); }        ///< Is there no entry?
  /// The value at a place; 0 if no entry covers it. O(log n + nesting).
  [[nodiscard]] constexpr std::uint32_t lookup(std::string_view where) && { return all_.lookup(where); }

private:
  step_function<Tree> all_;
};

/// Calls `f(place, in_a, in_b)` for every place that a or b lists, in the order of the walk, until f returns false.
/// `in_a` and `in_b` are the indexes of the most specific covering entries. True if f never returned false. O(n + m): a
/// cursor that has left a subtree never enters it again.
template <class Tree, class F> constexpr bool merge(step_function<Tree> a, step_function<Tree> b, F&& f) {
  std::uint32_t i = 0, j = 0, in_a = no_slot, in_b = no_slot;
  while (i < a.size() || j < b.size()) {
    bool of_a = i < a.size(), of_b = j < b.size();
    if (of_a && of_b) {
      const std::strong_ordering o = Tree::order(a.place(i), b.place(j));
      of_a = o <= 0;
      of_b = o >= 0;
    }
    const std::string_view place = of_a ? a.place(i) : b.place(j);
    in_a = of_a ? i++ : a.nearest_covering(in_a, place);
    in_b = of_b ? j++ : b.nearest_covering(in_b, place);
    if (!f(place, in_a, in_b)) return false;
  }
  return true;
}

/// Does a allow no more than b, at every place? O(n + m).
template <class Tree> [[nodiscard]] constexpr bool operator<=(step_function<Tree> a, step_function<Tree> b) {
  return merge(a, b,
               [&](std::string_view, std::uint32_t i, std::uint32_t j) { return Tree::within(a.at(i), b.at(j)); });
}

/// Are they the same function? `step_function_builder` drops redundant entries, so equal functions have equal lists.
/// O(n).
template <class Tree> [[nodiscard]] constexpr bool operator==(step_function<Tree> a, step_function<Tree> b) {
  if (a.size() != b.size()) return false;
  for (std::uint32_t i = 0; i < a.size(); ++i)
    if (!detail::same(a.place(i), b.place(i)) || a[i].value != b[i].value || !detail::same(a[i].payload, b[i].payload))
      return false;
  return true;
}

} // namespace cordon

template <class Tree> inline constexpr bool std::ranges::enable_borrowed_range<cordon::step_function<Tree>> = true;
