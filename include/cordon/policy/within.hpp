// SPDX-License-Identifier: BSL-1.0
/// Why a policy is not within a ceiling: every violation, with a place as its witness.
#pragma once

#include "../detail/message_words.hpp"
#include "../host/pattern.hpp"
#include "policy.hpp"

namespace cordon {

/// One thing that the child policy allows and the ceiling does not. `place` is the witness (empty on the plain axes),
/// valid only during the call. `granted` and `ceiling` are the values at that place, as numbers of the axis (hosts: 1
/// and 0).
struct violation {
  /// The axis that exceeds.
  cordon::axis axis{};
  /// The place; empty: the axis as a whole.
  std::string_view place{};
  /// What the child allows, as a number of that axis.
  std::uint64_t granted = 0;
  /// What the ceiling allows.
  std::uint64_t ceiling = 0;
};

/// Calls `f(violation)` for every violation, axis by axis, places in the order of the walk; returns their number.
/// O(n + m).
template <class A, class B, class F>
constexpr std::size_t excess(const basic_policy<A>& child, const basic_policy<B>& ceiling, F&& f) {
  std::size_t count = 0;
  const auto add = [&](bool fine, violation e) {
    if (fine) return;
    ++count;
    f(e);
  };
  const auto number = [](auto e) { return static_cast<std::uint64_t>(e); };
  const plain_axes &a = child.plain(), &b = ceiling.plain();
  add(within(a.profile, b.profile), {axis::profile, {}, number(a.profile), number(b.profile)});
  add(within(a.level, b.level), {axis::level, {}, number(a.level), number(b.level)});
  detail::each_part([&]<axis_id P>() {
    if constexpr (P == axis_id::hosts)
      each_excess(child.hosts(), ceiling.hosts(), [&](std::string_view place) {
        add(false, {axis::hosts, place, 1, 0});
        return true;
      });
    if constexpr (is_of_hosts(P)) return true;
    const auto x = child.template view<P>();
    const auto y = ceiling.template view<P>();
    merge(x, y, [&](std::string_view place, std::uint32_t i, std::uint32_t j) {
      add(tree_of<P>::within(x.at(i), y.at(j)), {axis_of(P), place, x.at(i).value, y.at(j).value});
      return true;
    });
    return true;
  });
  add(a.abilities <= b.abilities, {axis::abilities, {}, a.abilities.bits(), b.abilities.bits()});
  add(within(a.syscalls, b.syscalls), {axis::syscalls, {}, number(a.syscalls), number(b.syscalls)});
  for (std::size_t i = 0; i < limit_names.size(); ++i) {
    const auto l = static_cast<limit>(i);
    add(a.limits[l] <= b.limits[l], {axis::limits, limit_names[i], a.limits[l], b.limits[l]});
  }
  add(a.interpreters <= b.interpreters, {axis::guard, {}, a.interpreters, b.interpreters});
  add(within(a.fallback, b.fallback), {axis::fallback, {}, number(a.fallback), number(b.fallback)});
  return count;
}

namespace detail {

/// Never defined: the compiler prints its arguments, the first violation. They are the axis, then the rights or the
/// value that the child has, then the place.
template <axis Axis, auto... What> struct the_child_exceeds_the_ceiling;

/// The axes in the order in which a message prefers them: what a person wrote before what follows from it.
inline constexpr axis most_telling_first[]{
    axis::files,    axis::workspace, axis::hosts,  axis::sockets, axis::environment, axis::capabilities, axis::guard,
    axis::syscalls, axis::abilities, axis::limits, axis::level,   axis::profile,     axis::fallback};

[[nodiscard]] constexpr std::size_t rank_in_message(axis a) {
  std::size_t i = 0;
  while (most_telling_first[i] != a) ++i;
  return i;
}

/// The violation that a message reports; its place is `text`, as people write it.
struct first_excess {
  bool found = false;
  cordon::axis axis{};
  std::uint64_t granted = 0, ceiling = 0;
  limit which{}; ///< of the limits axis
  host::pattern_text text{};
};

/// Calls `f(ports)` with the first ports that the child allows at a place of the hosts and the ceiling does not. Returns:
/// true if there are any.
template <class F>
constexpr bool first_excess_of_ports(const host_axis& child, const host_axis& ceiling, std::string_view place, F&& f) {
  const auto at = [&](auto list) { return host::port_grant_of(list.at(list.find(place))).allowed; };
  return !host::each_run({at(child.allowed), at(child.denied), at(ceiling.allowed), at(ceiling.denied)},
                         [&](host::port_range run, std::uint32_t in) {
                           if ((in & 3) != 1 || (in & 12) == 4) return true;
                           f(run);
                           return false;
                         });
}

// Templates, so that a program that never stops does not pay for the words.

/// The host with its ports, as a pattern. An address is a witness; the child's entry that covers it is what a person
/// wrote.
template <class Hosts>
[[nodiscard]] constexpr host::pattern_text excess_of_hosts(const Hosts& child, const Hosts& ceiling,
                                                           std::string_view place) {
  host::pattern_text to;
  const entry by = child.allowed.at(child.allowed.find(place));
  const bool is_block = host::is_block(place) && !by.place.empty() && host::is_block(by.place);
  if (host::is_name_place(place) && !host::is_exact(place) &&
      !first_excess_of_ports(child, ceiling, host::exact_place(place).view(), [](host::port_range) {}))
    to.add("*."); // the names below it alone
  to.add(host::text_of_place(is_block ? by.place : place).view());
  first_excess_of_ports(child, ceiling, place, [&](host::port_range r) { print(r, to); });
  return to;
}

/// `listen 8000-8999`.
template <class Sockets>
[[nodiscard]] constexpr host::pattern_text excess_of_listening(Sockets child, Sockets ceiling) {
  host::pattern_text to;
  to.add(sockets::listening);
  const auto at = [](auto f) { return host::port_grant_of(f.at(f.find(sockets::listening))).allowed; };
  host::each_run({at(child), at(ceiling)}, [&](host::port_range run, std::uint32_t in) {
    if (in != 1) return true;
    to.add(' ');
    print_range(run, to);
    return false;
  });
  return to;
}

/// `no limit`, or nothing: the value is a number. Sets `which` to the limit.
[[nodiscard]] constexpr host::pattern_text excess_of_limits(const violation& e, limit& which) {
  host::pattern_text to;
  if (from_name(limit_names, e.place, which) && e.granted == limits::unlimited) to.add("no limit");
  return to;
}

template <class A, class B>
[[nodiscard]] constexpr first_excess find_excess(const basic_policy<A>& child, const basic_policy<B>& ceiling) {
  first_excess first;
  excess(child, ceiling, [&](violation e) {
    if (first.found && rank_in_message(first.axis) <= rank_in_message(e.axis)) return;
    first = {true, e.axis, e.granted, e.ceiling, {}, {}};
    if (e.axis == axis::hosts) first.text = excess_of_hosts(child.hosts(), ceiling.hosts(), e.place);
    else if (e.axis == axis::limits) first.text = excess_of_limits(e, first.which);
    else if (e.axis == axis::sockets && e.place == sockets::listening)
      first.text = excess_of_listening(child.sockets(), ceiling.sockets());
    else if (e.axis == axis::guard && e.place.empty()) first.text.add("interpreters");
    else first.text.add(e.place);
  });
  return first;
}

/// What the child has: rights and abilities that the ceiling lacks, or a word of an axis that is a plain value.
template <const first_excess& E> constexpr auto words_of_value() {
  constexpr std::uint64_t has = E.granted, more = has & ~E.ceiling;
  constexpr axis a = E.axis;
  if constexpr (a == axis::files || a == axis::workspace) return words_of_bits<more, right, rights::width>();
  else if constexpr (a == axis::abilities) return words_of_bits<more, ability, ability_names.size()>();
  else if constexpr (a == axis::profile) return message_words<static_cast<profile>(has)>{};
  else if constexpr (a == axis::level) return message_words<static_cast<level>(has)>{};
  else if constexpr (a == axis::fallback) return message_words<static_cast<fallback>(has)>{};
  else if constexpr (a == axis::syscalls && E.text.empty()) return message_words<static_cast<syscalls>(has)>{};
  else if constexpr (a == axis::limits && has == limits::unlimited) return message_words<E.which>{};
  else if constexpr (a == axis::limits) return message_words<E.which, has>{};
  else return message_words<>{};
}

template <axis Axis, auto... What> constexpr void stop_with(message_words<What...>) {
  static_cast<void>(sizeof(the_child_exceeds_the_ceiling<Axis, What...>));
}

template <const auto& Child, const auto& Ceiling> inline constexpr first_excess excess_of = find_excess(Child, Ceiling);

} // namespace detail

/// For `static_assert`: true if the child is within the ceiling. Otherwise the build stops, and the compiler prints a
/// violation: `the_child_exceeds_the_ceiling<axis::files, right::write, quoted<4>{"/etc"}>`. It is one of the files if
/// there is any, else of the hosts, and so on; `excess` lists them all.
template <const auto& Child, const auto& Ceiling> [[nodiscard]] consteval bool within() {
  constexpr const detail::first_excess& e = detail::excess_of<Child, Ceiling>;
  if constexpr (e.found) detail::stop_with<e.axis>(detail::words_of_value<e>() + detail::words_of_text<e>());
  return !e.found;
}

} // namespace cordon
