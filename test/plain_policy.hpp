// SPDX-License-Identifier: BSL-1.0
/// Policies in the simplest form and their meaning, computed without the algebra under test. A part is the table of its
/// values at each place of a small world; a query looks the place up.
#pragma once

#include "dice.hpp"

#include <cordon/policy/policy.hpp>

#include <array>
#include <string>
#include <vector>

namespace plain {

using cordon::axis_id;

/// The places that policies name, and further ones (parents, children, siblings) for queries. The first `named` are in
/// the order of specificity: none covers an earlier one.
struct world {
  std::vector<std::string> places;
  std::size_t named;
  std::vector<std::vector<bool>> covers; ///< covers[i][j]: is place j in the subtree of place i

  template <class Covers>
  world(std::vector<std::string> all, std::size_t n, Covers&& is_above) : places(std::move(all)), named(n) {
    for (const std::string& root : places) {
      covers.emplace_back();
      for (const std::string& place : places) covers.back().push_back(is_above(root, place));
    }
  }
};

inline const world& paths() {
  static const world w({"/", "/a", "/b", "/a-", "/a/b", "/b/x", "/a/bc", "/a/b/c", "/b/x/y", //
                        "/a/b/c/d", "/a/b/d", "/a/bd", "/c", "/b/x/y/z", "/b/y", "/a.", "/a-/q"},
                       9, [](const std::string& root, const std::string& place) {
                         const std::string inside = root == "/" ? "/" : root + "/";
                         return place == root || place.compare(0, inside.size(), inside) == 0;
                       });
  return w;
}

inline const world& names() {
  static const world w({"*", "A*", "B*", "A", "AB*", "C", "AB", "BCD", //
                        "ABC", "AC", "B", "BC", "D", "AB-"},
                       8, [](const std::string& root, const std::string& place) {
                         return root.back() == '*' ? place.compare(0, root.size() - 1, root, 0, root.size() - 1) == 0
                                                   : place == root;
                       });
  return w;
}

/// Names, and `**` for the addresses that `*` does not cover.
inline const world& hosts() {
  static const world w({"**", "*", "com", "net", "=com", "a.com", "=a.com", "b.a.com", "x.net", //
                        "=b.a.com", "c.com", "y.x.net", "=z", "acom"},
                       9, [](const std::string& root, const std::string& place) {
                         if (root == "**" || root == place) return true;
                         if (root == "*") return place != "**";
                         if (root[0] == '=' || place[0] == '*') return false;
                         const std::string name = "." + place.substr(place[0] == '=' ? 1 : 0), below = "." + root;
                         return name.size() >= below.size() &&
                                name.compare(name.size() - below.size(), below.size(), below) == 0;
                       });
  return w;
}

inline const world& sockets() {
  static const world w({"*", "own", "listen", "loopback", "/run", "/a", "/run/x", "/run/x/y", //
                        "/run/z", "/b", "/run-", "/"},
                       8, [](const std::string& root, const std::string& place) {
                         return root == "*" || place == root ||
                                (root[0] == '/' && place.compare(0, root.size() + 1, root + "/") == 0);
                       });
  return w;
}

[[nodiscard]] inline const world& world_of(std::size_t p) {
  switch (static_cast<axis_id>(p)) {
  case axis_id::files:
  case axis_id::workspace: return paths();
  case axis_id::hosts:
  case axis_id::denied_hosts: return hosts();
  case axis_id::sockets: return sockets();
  default: return names();
  }
}

/// Contents of variables.
inline const std::string contents[]{"", "x", "y", "xy"};

/// A value of a part: bits; for variables 0 absent, 1 passes, 2 + i set to contents[i].
using value = std::uint32_t;

[[nodiscard]] inline value meet(std::size_t p, value a, value b) {
  if (p == static_cast<std::size_t>(axis_id::denied_hosts)) return a | b;
  if (p != static_cast<std::size_t>(axis_id::environment)) return a & b;
  if (a == b || b == 1) return a;
  return a == 1 ? b : 0;
}
[[nodiscard]] inline bool within(std::size_t p, value a, value b) {
  if (p != static_cast<std::size_t>(axis_id::environment)) return (a | b) == b;
  return a == 0 || b == 1 || a == b;
}

/// Places and values as written, in any order.
struct entry_list {
  struct pair {
    std::size_t at;
    value v;
  };
  std::array<pair, 9> items{};
  std::size_t count = 0;

  void insert(std::size_t index, pair p) {
    for (std::size_t i = count++; i > index; --i) items[i] = items[i - 1];
    items[index] = p;
  }
  [[nodiscard]] const pair* begin() const { return items.data(); }
  [[nodiscard]] const pair* end() const { return items.data() + count; }
};

struct policy {
  cordon::plain_axes axes;
  std::array<std::array<value, 17>, cordon::part_count> parts{}; ///< by place of the world
  std::array<entry_list, cordon::part_count> entries{};

  /// Fills `parts` from `entries`: the most specific entry decides the value of each place.
  void settle() {
    for (std::size_t p = 0; p < cordon::part_count; ++p) {
      const world& w = world_of(p);
      for (std::size_t place = 0; place < w.places.size(); ++place) {
        std::size_t best = 0;
        for (const auto& [at, v] : entries[p])
          if (w.covers[at][place] && at >= best) best = at, parts[p][place] = v;
      }
    }
  }
  /// The same meaning, written with an entry for every place that has a name.
  void spell_out() {
    for (std::size_t p = 0; p < cordon::part_count; ++p)
      for (entries[p].count = 0; entries[p].count < world_of(p).named;)
        entries[p].insert(entries[p].count, {entries[p].count, parts[p][entries[p].count]});
  }
};

/// Is x as strict as y? Of these enumerations, the strictest value is the last.
[[nodiscard]] constexpr bool at_least(auto x, auto y) { return static_cast<int>(x) >= static_cast<int>(y); }

/// What both allow, axis by axis and place by place.
[[nodiscard]] inline policy meet(const policy& a, const policy& b) {
  const auto stricter = [](auto x, auto y) { return at_least(x, y) ? x : y; };
  policy m;
  m.axes.profile = stricter(a.axes.profile, b.axes.profile);
  m.axes.fallback = stricter(a.axes.fallback, b.axes.fallback);
  m.axes.syscalls = stricter(a.axes.syscalls, b.axes.syscalls);
  m.axes.level = a.axes.level > b.axes.level ? b.axes.level : a.axes.level;
  m.axes.interpreters = a.axes.interpreters ? b.axes.interpreters : false;
  m.axes.abilities = cordon::abilities::from_bits(a.axes.abilities.bits() & b.axes.abilities.bits());
  for (std::size_t i = 0; i < cordon::limit_names.size(); ++i) {
    const auto l = static_cast<cordon::limit>(i);
    m.axes.limits.set(l, a.axes.limits[l] > b.axes.limits[l] ? b.axes.limits[l] : a.axes.limits[l]);
  }
  for (std::size_t p = 0; p < cordon::part_count; ++p)
    for (std::size_t i = 0; i < world_of(p).places.size(); ++i) m.parts[p][i] = meet(p, a.parts[p][i], b.parts[p][i]);
  m.spell_out();
  return m;
}

/// Is the host at that place of the world allowed and not denied?
[[nodiscard]] inline bool reaches(const policy& p, std::size_t place) {
  return p.parts[static_cast<std::size_t>(axis_id::hosts)][place] != 0 &&
         p.parts[static_cast<std::size_t>(axis_id::denied_hosts)][place] == 0;
}

[[nodiscard]] inline bool within(const policy& a, const policy& b) {
  bool fine = at_least(a.axes.profile, b.axes.profile) && at_least(a.axes.fallback, b.axes.fallback) &&
              at_least(a.axes.syscalls, b.axes.syscalls) && !(a.axes.level > b.axes.level) &&
              !(a.axes.interpreters && !b.axes.interpreters) &&
              (a.axes.abilities.bits() | b.axes.abilities.bits()) == b.axes.abilities.bits();
  for (std::size_t i = 0; i < cordon::limit_names.size(); ++i)
    if (a.axes.limits[static_cast<cordon::limit>(i)] > b.axes.limits[static_cast<cordon::limit>(i)]) fine = false;
  for (std::size_t p = 0; p < cordon::part_count; ++p)
    for (std::size_t i = 0; i < a.parts[p].size() && !cordon::is_of_hosts(static_cast<axis_id>(p)); ++i)
      if (!within(p, a.parts[p][i], b.parts[p][i])) fine = false;
  for (std::size_t i = 0; i < hosts().places.size(); ++i)
    if (reaches(a, i) && !reaches(b, i)) fine = false;
  return fine;
}

[[nodiscard]] inline bool same(const policy& a, const policy& b) { return within(a, b) && within(b, a); }

/// The policy under test with these entries.
template <class Policy> [[nodiscard]] Policy made(const policy& from) {
  Policy to;
  to.plain() = from.axes;
  cordon::detail::each_part([&]<axis_id P>() {
    constexpr auto p = static_cast<std::size_t>(P);
    const cordon::diagnostic d = to.template write<P>([&](auto& out) {
      for (const auto& [at, v] : from.entries[p]) {
        const bool set = P == axis_id::environment && v >= 2;
        const std::string_view content = set ? contents[v - 2] : contents[0];
        out.add({world_of(p).places[at], set ? cordon::variable::set(content.size()) : v, content});
      }
    });
    return d.code == cordon::diagnostic_code::ok;
  });
  return to;
}

/// Has the policy under test the value of the table at that place of the world?
template <class Policy>
[[nodiscard]] bool agrees(const Policy& under_test, const policy& table, std::size_t place_seed) {
  return cordon::detail::each_part([&]<axis_id P>() {
    constexpr auto p = static_cast<std::size_t>(P);
    const std::size_t place = place_seed % world_of(p).places.size();
    const auto view = under_test.template view<P>();
    const cordon::entry e = view.at(view.find(world_of(p).places[place]));
    const value v = table.parts[p][place];
    if (P != axis_id::environment || v < 2) return e.value == v && e.payload.empty();
    return e.value == cordon::variable::set(contents[v - 2].size()) && e.payload == contents[v - 2];
  });
}

[[nodiscard]] inline value random_value(std::size_t p, std::size_t place, dice& d) {
  constexpr value usual[]{0, 3, 7, 0x7F, 0xFF};
  const world& w = world_of(p);
  if (&w == &paths()) return d.percent(70) ? d.one_of(usual) : d.below(256);
  const bool exact = w.places[place].back() != '*';
  return p == static_cast<std::size_t>(axis_id::environment) && exact && d.percent(50) ? 2 + d.below(4) : d.below(2);
}

/// A random policy of the small world: any, none, nested, disjoint and hidden places on every axis.
[[nodiscard]] inline policy random(dice& d) {
  policy p;
  p.axes.profile = static_cast<cordon::profile>(d.below(4));
  p.axes.level = static_cast<cordon::level>(d.below(5));
  p.axes.fallback = static_cast<cordon::fallback>(d.below(3));
  p.axes.syscalls = static_cast<cordon::syscalls>(d.below(2));
  p.axes.interpreters = d.percent(50);
  p.axes.abilities = d.percent(30) ? cordon::abilities::any() : cordon::abilities::from_bits(d.below(1U << 11));
  constexpr std::uint64_t amounts[]{1, 2, 1'000'000'000, cordon::limits::greatest};
  for (std::size_t i = 0; i < cordon::limit_names.size(); ++i)
    if (d.percent(50)) p.axes.limits.set(static_cast<cordon::limit>(i), d.one_of(amounts));
  for (std::size_t part_number = 0; part_number < cordon::part_count; ++part_number) {
    entry_list& to = p.entries[part_number];
    const world& w = world_of(part_number);
    const bool on_paths = &w == &paths();
    if (d.percent(15)) to.insert(0, {0, on_paths ? 0xFFU : 1U});
    else if (!d.percent(15))
      for (std::size_t at = 0; at < w.named; ++at)
        if (d.percent(35)) to.insert(d.below(to.count + 1), {at, random_value(part_number, at, d)});
  }
  p.settle();
  return p;
}

/// A policy that differs from another one at one place or on the plain axes.
[[nodiscard]] inline policy near(policy p, const policy& other, dice& d) {
  const std::size_t which = d.below(cordon::part_count + 1);
  p.spell_out();
  if (which == cordon::part_count) p.axes = other.axes;
  else {
    const std::size_t at = d.below(world_of(which).named);
    p.entries[which].items[at].v = d.percent(50) ? other.parts[which][at] : random_value(which, at, d);
  }
  p.settle();
  return p;
}

} // namespace plain
