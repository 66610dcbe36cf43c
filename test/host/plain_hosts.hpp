// SPDX-License-Identifier: BSL-1.0
/// Hosts axes as tables of yes and no, evaluated pattern by pattern: an oracle that shares no code with the library.
/// Its points cover all cells of any axis over these patterns. They include a name below every name, and the ends of
/// every prefix, special range and range of ports.
#pragma once

#include "../dice.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace plain_hosts {

/// A name, or an address as two numbers: IPv4 in `low`, IPv6 with `high`.
struct point {
  std::string name;
  bool v6 = false;
  std::uint64_t high = 0, low = 0;

  bool operator<(const point& o) const { return std::tie(name, v6, high, low) < std::tie(o.name, o.v6, o.high, o.low); }
  [[nodiscard]] std::string text() const {
    if (!name.empty()) return name;
    std::string out;
    char piece[16];
    for (int i = 0; i < (v6 ? 8 : 4); ++i) {
      const std::uint64_t half = i < 4 ? high : low;
      if (v6) std::snprintf(piece, sizeof piece, "%x", static_cast<unsigned>(half >> (48 - 16 * (i % 4)) & 0xFFFF));
      else std::snprintf(piece, sizeof piece, "%u", static_cast<unsigned>(low >> (24 - 8 * i) & 0xFF));
      out += (i == 0 ? "" : v6 ? ":" : ".") + std::string(piece);
    }
    return v6 ? "[" + out + "]" : out;
  }
};

/// The first `length` bits are given.
struct block {
  bool v6;
  std::uint64_t high, low;
  unsigned length;

  [[nodiscard]] std::array<std::uint64_t, 2> mask() const {
    const unsigned length_in_v6 = v6 ? length : 96 + length;
    const auto bits = [](unsigned n) { return n == 0 ? 0 : ~std::uint64_t{0} << (64 - n); };
    return {bits(std::min(length_in_v6, 64U)), bits(length_in_v6 <= 64 ? 0 : length_in_v6 - 64)};
  }
  [[nodiscard]] bool covers(const point& p) const {
    const auto [h, l] = mask();
    return p.name.empty() && p.v6 == v6 && ((p.high ^ high) & h) == 0 && ((p.low ^ low) & l) == 0;
  }
  /// The first address, and the first one after the block if it exists.
  [[nodiscard]] std::vector<point> ends() const {
    const auto [h, l] = mask();
    point behind{"", v6, high | ~h, low | ~l};
    if (!v6) behind.high = 0;
    const bool carry = behind.low == (v6 ? ~std::uint64_t{0} : 0xFFFFFFFF);
    behind.low = carry ? 0 : behind.low + 1;
    if (carry) ++behind.high;
    std::vector<point> all{{"", v6, high, low}};
    if (v6 ? behind.high != 0 || behind.low != 0 : !carry) all.push_back(behind);
    return all;
  }
};

/// Resolved addresses that `*` does not cover.
inline const std::vector<block>& special_v4() {
  static const std::vector<block> all{
      {false, 0, 0x00000000, 8},  {false, 0, 0x0A000000, 8},  {false, 0, 0x64400000, 10}, {false, 0, 0x7F000000, 8},
      {false, 0, 0xA9FE0000, 16}, {false, 0, 0xAC100000, 12}, {false, 0, 0xC0A80000, 16}, {false, 0, 0xE0000000, 4},
      {false, 0, 0xF0000000, 4},  {false, 0, 0xA83F8110, 32}, {false, 0, 0xC00000C0, 32}};
  return all;
}
inline const std::vector<block>& special_v6() {
  static const std::vector<block> all = [] {
    std::vector<block> v{{true, 0, 0, 128},
                         {true, 0, 1, 128},
                         {true, 0xFC00000000000000, 0, 7},
                         {true, 0xFE80000000000000, 0, 10},
                         {true, 0xFEC0000000000000, 0, 10},
                         {true, 0xFF00000000000000, 0, 8},
                         {true, 0x0064FF9B00010000, 0, 48}};
    for (const block& b : special_v4()) {
      v.push_back({true, 0, 0xFFFF000000000000 | b.low, 96 + b.length});
      v.push_back({true, 0, b.low, 96 + b.length});
      v.push_back({true, 0x0064FF9B00000000, b.low, 96 + b.length});
      v.push_back({true, 0x2002000000000000 | b.low << 16, 0, 16 + b.length});
    }
    return v;
  }();
  return all;
}
inline constexpr block mapped{true, 0, 0xFFFF00000000, 96};

inline bool is_special(const point& p) {
  const auto covers = [&](const block& b) { return b.covers(p); };
  const auto& all = p.v6 ? special_v6() : special_v4();
  return std::any_of(all.begin(), all.end(), covers);
}

inline bool is_below(std::string_view name, std::string_view root) {
  return name.size() > root.size() + 1 && name.ends_with(root) && name[name.size() - root.size() - 1] == '.';
}

/// A pattern without ports: its text and what it covers.
struct pattern {
  std::string text;
  bool star = false, itself = false, below = false;
  std::string name;
  std::vector<block> blocks; ///< none or one

  [[nodiscard]] bool covers(const point& p) const {
    if (star) return !p.name.empty() || !is_special(p);
    if (!blocks.empty()) return blocks[0].covers(p);
    return !p.name.empty() && ((itself && p.name == name) || (below && is_below(p.name, name)));
  }
};

struct port_choice {
  std::string text;
  unsigned first, last;
};

inline constexpr std::size_t most_points = 512;
inline constexpr std::array<unsigned, 8> ports{1, 80, 81, 85, 91, 101, 443, 444};
using row = std::bitset<most_points>;
/// One row of hosts for each port.
using table = std::array<row, ports.size()>;

struct world {
  std::vector<pattern> patterns;
  std::vector<port_choice> choices{
      {"", 1, 65535}, {":443", 443, 443}, {":80-90", 80, 90}, {":85-100", 85, 100}, {":1-442", 1, 442}};
  std::vector<point> points;
  std::vector<row> covered; ///< by each pattern

  world() {
    patterns.push_back({"*", true, false, false, "", {}});
    for (const char* n : {"a", "b.a", "c.b.a", "d.b.a", "ba", "b", "a-"}) {
      const std::string name = n == std::string("a-") ? "a-x" : n;
      patterns.push_back({name, false, true, true, name, {}});
      patterns.push_back({"*." + name, false, false, true, name, {}});
      patterns.push_back({"=" + name, false, true, false, name, {}});
      points.push_back({name});
      points.push_back({"zz." + name});
    }
    points.push_back({"other"});
    points.push_back({"c.b"});
    const auto add = [&](const char* text, const block& b) {
      patterns.push_back({text, false, false, false, "", {b}});
      for (const point& p : b.ends()) points.push_back(p);
    };
    add("0.0.0.0/0", {false, 0, 0, 0});
    add("0.0.0.0/1", {false, 0, 0, 1});
    add("128.0.0.0/1", {false, 0, 0x80000000, 1});
    add("8.0.0.0/5", {false, 0, 0x08000000, 5});
    add("10.0.0.0/7", {false, 0, 0x0A000000, 7});
    add("10.0.0.0/8", {false, 0, 0x0A000000, 8});
    add("11.0.0.0/8", {false, 0, 0x0B000000, 8});
    add("10.0.0.0/9", {false, 0, 0x0A000000, 9});
    add("10.128.0.0/9", {false, 0, 0x0A800000, 9});
    add("10.0.0.5", {false, 0, 0x0A000005, 32});
    add("8.8.8.8/31", {false, 0, 0x08080808, 31});
    add("8.8.8.8", {false, 0, 0x08080808, 32});
    add("8.8.8.9", {false, 0, 0x08080809, 32});
    add("192.0.0.0/24", {false, 0, 0xC0000000, 24});
    add("192.0.0.192", {false, 0, 0xC00000C0, 32});
    add("224.0.0.0/3", {false, 0, 0xE0000000, 3});
    add("[::]/0", {true, 0, 0, 0});
    add("[::]/80", {true, 0, 0, 80});
    add("[::]/96", {true, 0, 0, 96});
    add("[::fffe:0:0]/95", {true, 0, 0xFFFE00000000, 95});
    add("[::fffe:0:0]/96", {true, 0, 0xFFFE00000000, 96});
    add("[2002::]/16", {true, 0x2002000000000000, 0, 16});
    add("[2002:a00::]/24", {true, 0x20020A0000000000, 0, 24});
    add("[64:ff9b::]/96", {true, 0x0064FF9B00000000, 0, 96});
    add("[fc00::]/7", {true, 0xFC00000000000000, 0, 7});
    add("[fc00::]/8", {true, 0xFC00000000000000, 0, 8});
    add("[fd00::]/8", {true, 0xFD00000000000000, 0, 8});
    add("[2001:db8::2]/127", {true, 0x20010DB800000000, 2, 127});
    add("[2001:db8::2]", {true, 0x20010DB800000000, 2, 128});
    add("[2001:db8::3]", {true, 0x20010DB800000000, 3, 128});
    for (const auto* list : {&special_v4(), &special_v6()})
      for (const block& b : *list)
        for (const point& p : b.ends()) points.push_back(p);
    for (const point& p : mapped.ends()) points.push_back(p);
    std::sort(points.begin(), points.end());
    const auto same = [](const point& a, const point& b) { return !(a < b) && !(b < a); };
    points.erase(std::unique(points.begin(), points.end(), same), points.end());
    points.erase(std::remove_if(points.begin(), points.end(), [](const point& p) { return mapped.covers(p); }),
                 points.end());
    for (const pattern& p : patterns) covered.push_back(row_of([&](const point& at) { return p.covers(at); }));
  }

  template <class Yes> [[nodiscard]] row row_of(Yes&& yes) const {
    row r;
    for (std::size_t i = 0; i < points.size(); ++i) r.set(i, yes(points[i]));
    return r;
  }
};

inline const world& hosts() {
  static const world w;
  return w;
}

/// Patterns with ports: indexes into the world.
struct choice {
  std::size_t pattern, ports;
  bool denied = false;

  [[nodiscard]] std::string text() const {
    return (denied ? "!" : "") + hosts().patterns[pattern].text + hosts().choices[ports].text;
  }
  void add_to(table& t) const {
    for (std::size_t i = 0; i < ports_count(); ++i)
      if (const port_choice& c = hosts().choices[ports];
          c.first <= plain_hosts::ports[i] && plain_hosts::ports[i] <= c.last)
        t[i] |= hosts().covered[pattern];
  }
  static constexpr std::size_t ports_count() { return plain_hosts::ports.size(); }
};

/// An axis: its words, and what it allows.
struct axis {
  std::vector<choice> choices;
  bool any = false;

  [[nodiscard]] std::string words() const {
    std::string all = any ? "any" : choices.empty() ? "none" : "";
    for (const choice& c : choices) all += (all.empty() ? "" : " ") + c.text();
    return all;
  }
  [[nodiscard]] table allowed() const {
    table yes{}, no{};
    if (any)
      for (row& r : yes) r = hosts().row_of([](const point&) { return true; });
    for (const choice& c : choices) c.add_to(c.denied ? no : yes);
    for (std::size_t i = 0; i < yes.size(); ++i) yes[i] &= ~no[i];
    return yes;
  }
};

inline axis random(dice& d, bool with_denials) {
  axis a;
  a.any = d.percent(4);
  const bool few = d.percent(50); // of only two kinds, so that axes overlap
  const std::uint32_t from = d.below(hosts().patterns.size());
  for (std::uint32_t n = d.below(7); n != 0; --n) {
    const std::uint32_t spread = few ? 6U : static_cast<std::uint32_t>(hosts().patterns.size());
    const std::size_t p = d.percent(10) ? 0 : (from + d.below(spread)) % hosts().patterns.size();
    a.choices.push_back({p, d.percent(60) ? 0 : d.below(hosts().choices.size()), with_denials && d.percent(30)});
  }
  return a;
}

inline table both(const table& a, const table& b) {
  table t{};
  for (std::size_t i = 0; i < t.size(); ++i) t[i] = a[i] & b[i];
  return t;
}
inline bool within(const table& a, const table& b) { return both(a, b) == a; }

} // namespace plain_hosts
