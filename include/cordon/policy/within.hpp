// SPDX-License-Identifier: BSL-1.0
/// Why a policy is not within a ceiling: every violation, with a place as its witness.
#pragma once

#include "../host/pattern.hpp"
#include "policy.hpp"

namespace cordon {

/// One thing that the child policy allows and the ceiling does not. `place` is the witness (empty on the plain axes),
/// valid only during the call. `granted` and `ceiling` are the values at that place, as numbers of the axis (hosts: 1
/// and 0).
struct violation {
  cordon::axis axis{};
  std::string_view place{};
  std::uint64_t granted = 0;
  std::uint64_t ceiling = 0;
};

/// Calls `f(violation)` for every violation, axis by axis, places in the order of the walk; returns their number.
/// O(n + m).
template <class A, class B, class F>
constexpr std::size_t excess(const basic_policy<A>& child, const basic_policy<B>& ceiling, F&& f) {
  std::size_t count = 0;
  const auto tell = [&](bool fine, violation e) {
    if (fine) return;
    ++count;
    f(e);
  };
  const auto number = [](auto e) { return static_cast<std::uint64_t>(e); };
  const plain_axes &a = child.plain(), &b = ceiling.plain();
  tell(within(a.profile, b.profile), {axis::profile, {}, number(a.profile), number(b.profile)});
  tell(within(a.level, b.level), {axis::level, {}, number(a.level), number(b.level)});
  detail::each_part([&]<axis_id P>() {
    if constexpr (P == axis_id::hosts)
      each_excess(child.hosts(), ceiling.hosts(), [&](std::string_view place) {
        tell(false, {axis::hosts, place, 1, 0});
        return true;
      });
    if constexpr (is_of_hosts(P)) return true;
    const auto x = child.template view<P>();
    const auto y = ceiling.template view<P>();
    merge(x, y, [&](std::string_view place, std::uint32_t i, std::uint32_t j) {
      tell(tree_of<P>::within(x.at(i), y.at(j)), {axis_of(P), place, x.at(i).value, y.at(j).value});
      return true;
    });
    return true;
  });
  tell(a.abilities <= b.abilities, {axis::abilities, {}, a.abilities.bits(), b.abilities.bits()});
  tell(a.syscalls >= b.syscalls, {axis::syscalls, {}, number(a.syscalls), number(b.syscalls)});
  for (std::size_t i = 0; i < limit_names.size(); ++i) {
    const auto l = static_cast<limit>(i);
    tell(a.limits[l] <= b.limits[l], {axis::limits, limit_names[i], a.limits[l], b.limits[l]});
  }
  tell(a.interpreters <= b.interpreters, {axis::guard, {}, a.interpreters, b.interpreters});
  tell(within(a.fallback, b.fallback), {axis::fallback, {}, number(a.fallback), number(b.fallback)});
  return count;
}

namespace detail {

/// Never defined: the compiler prints its arguments, which spell the first violation.
template <char... Text> struct the_child_may_but_the_ceiling_may_not;

/// "axis place" of the first violation, as characters.
struct first_excess {
  char text[160]{};
  std::size_t size = 0;

  constexpr void add(std::string_view s) {
    for (const char c : s)
      if (size < sizeof text) text[size++] = c;
  }
};

template <class A, class B>
constexpr first_excess find_excess(const basic_policy<A>& child, const basic_policy<B>& ceiling) {
  first_excess first;
  excess(child, ceiling, [&](violation e) {
    if (first.size != 0) return;
    first.add(name(e.axis));
    if (e.axis == axis::hosts) first.add(" "), first.add(host::text_of_place(e.place).view());
    else if (!e.place.empty()) first.add(" "), first.add(e.place);
    if (e.axis == axis::files || e.axis == axis::workspace)
      for_each(rights::from_bits(static_cast<std::uint32_t>(e.granted & ~e.ceiling)),
               [&](right r) { first.add(" "), first.add(name(r)); });
  });
  return first;
}

template <const first_excess& E, std::size_t... I> constexpr auto spell(std::index_sequence<I...>) {
  return sizeof(the_child_may_but_the_ceiling_may_not<E.text[I]...>) != 0;
}

template <const auto& Child, const auto& Ceiling> inline constexpr first_excess excess_of = find_excess(Child, Ceiling);

} // namespace detail

/// For `static_assert`: true if the child is within the ceiling. Otherwise the build stops, and the compiler prints the
/// first violation as the characters of `the_child_may_but_the_ceiling_may_not<...>`.
template <const auto& Child, const auto& Ceiling> [[nodiscard]] consteval bool within() {
  constexpr std::size_t size = detail::excess_of<Child, Ceiling>.size;
  if constexpr (size != 0) return detail::spell<detail::excess_of<Child, Ceiling>>(std::make_index_sequence<size>{});
  else return true;
}

} // namespace cordon
