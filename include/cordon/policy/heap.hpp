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
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(slots_.size()); }
  [[nodiscard]] slot* slots() { return slots_.data(); }
  [[nodiscard]] const slot* slots() const { return slots_.data(); }
  [[nodiscard]] const char* text() const { return text_.data(); }

  bool push(std::string_view a, std::string_view b, std::uint32_t value) {
    if (a.size() + b.size() > no_slot - text_.size() || slots_.size() == no_slot) return false;
    slots_.push_back({static_cast<std::uint32_t>(text_.size()), static_cast<std::uint32_t>(a.size()), no_slot, value});
    text_.append(a).append(b);
    return true;
  }
  void truncate(std::uint32_t count) { slots_.resize(count); }

private:
  std::vector<slot> slots_;
  std::string text_;
};

namespace detail {

template <std::uint32_t Slots, std::uint32_t Text> struct roomier_of<heap, fixed<Slots, Text>> { using type = heap; };
template <std::uint32_t Slots, std::uint32_t Text> struct roomier_of<fixed<Slots, Text>, heap> { using type = heap; };

} // namespace detail

/// A policy that was read from documents.
using loaded_policy = basic_policy<heap>;

/// Copies a policy into another storage. Returns: `policy_too_large` if it does not fit. O(n).
template <class To, class From> [[nodiscard]] diagnostic copy(const basic_policy<From>& from, basic_policy<To>& to) {
  to.plain() = from.plain();
  diagnostic d;
  detail::each_part([&]<axis_id P>() {
    const auto all = from.template view<P>();
    d = to.template write<P>([&](auto& out) { out.add_all(all); });
    return d.code == errc::ok;
  });
  return d;
}

} // namespace cordon
