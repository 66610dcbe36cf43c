// SPDX-License-Identifier: BSL-1.0
#include "../dice.hpp"
#include "../effort.hpp"
#include "../holds.hpp"

#include <cordon/host/port_set.hpp>

#include <bitset>
#include <initializer_list>

namespace host_ports_test {

using namespace cordon::host;

namespace {

constexpr bool becomes(std::initializer_list<port_range> given, std::initializer_list<port_range> wanted) {
  const port_set s(given);
  std::size_t i = 0;
  if (s.view().size() != wanted.size() || s.is_full()) return false;
  for (const port_range r : wanted)
    if (s.view()[i++] != r) return false;
  return true;
}

constexpr bool contains(std::initializer_list<port_range> given, std::uint32_t port) {
  return port_set(given).view().contains(port);
}

using bits = std::bitset<65536>;

bits bits_of(ports p) {
  bits b;
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::uint32_t port = p[i].first; port <= p[i].last; ++port) b.set(port);
  return b;
}

/// A set, and the same set as bits, computed independently.
struct sample {
  port_set set;
  bits plain;

  explicit sample(dice& d) {
    for (std::uint32_t i = d.below(12); i != 0; --i) {
      const std::uint32_t wide = d.percent(30) ? 65535 : 60, first = 1 + d.below(wide),
                          last = first + d.below(wide + 1 - first);
      set.add({static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(last)});
      for (std::uint32_t p = first; p <= last; ++p) plain.set(p);
    }
  }
};

} // namespace

TEST_CASE("ports: ranges that touch or overlap are one range, in any order") {
  HOLDS(becomes({}, {}));
  HOLDS(becomes({{443, 443}, {80, 80}}, {{80, 80}, {443, 443}}));
  HOLDS(becomes({{80, 80}, {82, 82}, {81, 81}}, {{80, 82}}));
  HOLDS(becomes({{10, 20}, {30, 40}, {50, 60}, {15, 49}}, {{10, 60}}));
  HOLDS(becomes({{1, 65534}, {65535, 65535}}, {{1, 65535}}));
  HOLDS(becomes({{10, 20}, {12, 13}}, {{10, 20}}));
  HOLDS(becomes({{10, 20}, {30, 40}, {22, 28}}, {{10, 20}, {22, 28}, {30, 40}}));
  HOLDS(port_set({{1, 65535}}).view().is_all());
  HOLDS(port_set({{1, 65535}}).view() == ports::all());
  HOLDS(!port_set({{1, 65534}}).view().is_all());
  HOLDS(!ports().is_all());
}

TEST_CASE("ports: what a set contains") {
  HOLDS(contains({{80, 80}, {443, 450}}, 80));
  HOLDS(contains({{80, 80}, {443, 450}}, 443));
  HOLDS(contains({{80, 80}, {443, 450}}, 450));
  HOLDS(!contains({{80, 80}, {443, 450}}, 79));
  HOLDS(!contains({{80, 80}, {443, 450}}, 81));
  HOLDS(!contains({{80, 80}, {443, 450}}, 451));
  HOLDS(!contains({}, 80));
  HOLDS(contains({{1, 65535}}, 65535));
}

TEST_CASE("ports: the order of sets") {
  HOLDS(within(port_set({{443, 443}}).view(), ports::all()));
  HOLDS(within(ports(), ports()));
  HOLDS(!within(ports::all(), port_set({{1, 65534}}).view()));
  HOLDS(within(port_set({{8080, 8080}}).view(), port_set({{8000, 8999}}).view()));
  HOLDS(!within(port_set({{8500, 9000}}).view(), port_set({{8000, 8999}}).view()));
  HOLDS(meets(port_set({{8500, 9000}}).view(), port_set({{8000, 8999}}).view()));
  HOLDS(!meets(port_set({{9000, 9000}}).view(), port_set({{8000, 8999}}).view()));
  HOLDS(within(port_set({{1, 100}}).view(), port_set({{50, 60}}).view(), port_set({{1, 200}}).view(),
               port_set({{55, 55}}).view()));
  HOLDS(!within(port_set({{1, 100}}).view(), port_set({{50, 60}}).view(), port_set({{1, 200}}).view(),
                port_set({{61, 61}}).view()));
}

TEST_CASE("ports: adding to a full set fails and changes nothing") {
  port_set s;
  for (std::uint16_t i = 0; i < port_set::most; ++i)
    s.add({static_cast<std::uint16_t>(2 + 4 * i), static_cast<std::uint16_t>(2 + 4 * i)});
  CHECK(!s.is_full());
  s.add({3, 5});
  CHECK(!s.is_full());
  CHECK(s.view()[0] == port_range{2, 6});
  s.add({60000, 60000});
  CHECK(!s.is_full());
  s.add({65000, 65000});
  CHECK(s.is_full());
  CHECK(s.view().contains(60000));
  s.clear();
  CHECK(!s.is_full());
  for (std::uint16_t i = 0; i <= port_set::most; ++i)
    s.append({static_cast<std::uint16_t>(2 + 2 * i), static_cast<std::uint16_t>(2 + 2 * i)});
  CHECK(s.is_full());
}

TEST_CASE("ports: random sets against sets of bits") {
  bool fine = true;
  for (int seed = 0; seed < effort(2000) && fine; ++seed) {
    dice d(static_cast<std::uint64_t>(seed));
    const sample a(d), b(d), c(d), e(d);
    const ports x = a.set.view(), y = b.set.view();
    port_set both, either;
    both.pick({x, y}, [](std::uint32_t in) { return in == 3; });
    either.pick({x, y}, [](std::uint32_t in) { return in != 0; });
    fine = fine && bits_of(x) == a.plain && bits_of(both.view()) == (a.plain & b.plain);
    fine = fine && bits_of(either.view()) == (a.plain | b.plain);
    fine = fine && within(x, y) == (a.plain & ~b.plain).none() && meets(x, y) == (a.plain & b.plain).any();
    fine = fine && within(both.view(), x) && within(x, either.view());
    fine = fine && within(x, y, c.set.view(), e.set.view()) == (a.plain & ~b.plain & ~(c.plain & ~e.plain)).none();
    for (const ports one : {x, both.view(), either.view()})
      for (std::size_t i = 1; i < one.size(); ++i) fine = fine && one[i - 1].last + 1 < one[i].first;
    for (int i = 0; i < 20; ++i) {
      const std::uint32_t port = 1 + d.below(d.percent(50) ? 65535 : 70);
      fine = fine && x.contains(port) == a.plain.test(port);
    }
    CAPTURE(seed);
    CHECK(fine);
  }
}

} // namespace host_ports_test
