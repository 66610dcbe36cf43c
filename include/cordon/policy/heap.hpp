// SPDX-License-Identifier: BSL-1.0
/// Policies of any size, for those that are read at run time: the same algorithms over a storage that grows.
#pragma once

#include "policy.hpp"

#include <string>
#include <vector>

namespace cordon {

/// Slots and text on the heap; at most 2^32 - 1 of either.
class heap {
public:
  /// The number of slots.
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(slots_.size()); }
  [[nodiscard]] slot* all_slots() { return slots_.data(); }             ///< The slots; valid until the next `push`.
  [[nodiscard]] const slot* all_slots() const { return slots_.data(); } ///< The slots; valid until the next `push`.
  /// The text of all slots; valid until the next `push`.
  [[nodiscard]] const char* text() const { return text_.data(); }

  /// Adds a slot with a text of two pieces. Returns: false if the text has 4 GiB. Throws: std::bad_alloc.
  bool push(std::string_view a, std::string_view b, std::uint32_t value) {
    if (a.size() + b.size() > no_slot - text_.size() || slots_.size() == no_slot) return false;
    slots_.push_back({static_cast<std::uint32_t>(text_.size()), static_cast<std::uint32_t>(a.size()), no_slot, value});
    text_.append(a).append(b);
    return true;
  }
  void truncate(std::uint32_t count) { slots_.resize(count); } ///< Drops the slots behind the first `count`.

private:
  std::vector<slot> slots_;
  std::string text_;
};

/// A value for each slot of a `heap`.
template <class T> class side_table<heap, T> {
public:
  explicit side_table(std::uint32_t size, T initial = {}) : values_(size, initial) {} ///< With `size` values.
  [[nodiscard]] T& operator[](std::uint32_t i) { return values_[i]; }                 ///< The value with that index.
  [[nodiscard]] const T& operator[](std::uint32_t i) const { return values_[i]; }     ///< The value with that index.

private:
  std::vector<T> values_;
};

namespace detail {

template <std::uint32_t Slots, std::uint32_t Text> struct roomier_of<heap, fixed_storage<Slots, Text>> {
  using type = heap;
};
template <std::uint32_t Slots, std::uint32_t Text> struct roomier_of<fixed_storage<Slots, Text>, heap> {
  using type = heap;
};

} // namespace detail

/// Copies a policy into another storage. Returns: `policy_too_large` if it does not fit, `not_empty` if `to` is not as
/// default-constructed. O(n).
template <class To, class From> [[nodiscard]] diagnostic copy(const basic_policy<From>& from, basic_policy<To>& to) {
  if (!to.is_default()) return {diagnostic_code::not_empty};
  to.plain() = from.plain();
  diagnostic d;
  detail::each_part([&]<axis_id P>() {
    const auto all = from.template view<P>();
    d = to.template write<P>([&](auto& out) { out.add_all(all); });
    return d.code == diagnostic_code::ok;
  });
  return d;
}

/// The policy in another storage: `copy<loaded_policy>(p)`. Returns: `policy_too_large` if it does not fit. O(n).
template <class To, class From> [[nodiscard]] result<To> copy(const basic_policy<From>& from) {
  return detail::written_by<To>([&](To& to) { return copy(from, to); });
}

} // namespace cordon
