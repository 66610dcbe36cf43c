// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/host/tree.hpp>

#include <array>

namespace host_tree_test {

using namespace cordon;
using namespace cordon::host;

namespace {

/// A value: ports of a few ranges by the bits of two numbers, the second within the first.
struct made {
  port_set allowed, named;
  port_grant_writer text;
  entry e;
  constexpr made(unsigned a, unsigned n) {
    for (unsigned i = 0; i < 3; ++i) {
      const port_range r{static_cast<std::uint16_t>(1 + 100 * i),
                         static_cast<std::uint16_t>(i == 2 ? 65535 : 90 + 100 * i)};
      if ((a >> i & 1) != 0) allowed.add(r);
      if ((a & n) >> i & 1) named.add(r);
    }
    if (a == 8) allowed.add({}), named.add({});
    e = text.write("x", {allowed.view(), named.view()});
  }
};

template <class Tree> constexpr bool meets_to(entry a, entry b, entry wanted) {
  bool same = false;
  const bool fits = Tree::meet(a, b, [&](entry m) { same = m.value == wanted.value && m.payload == wanted.payload; });
  return fits && same;
}

constexpr bool allowed_is_a_lattice() {
  for (unsigned i = 0; i < 64; ++i)
    for (unsigned j = 0; j < 64; ++j) {
      const made a(i & 7, i >> 3), b(j & 7, j >> 3);
      const unsigned ports = i & j & 7;
      const made both(ports, (i >> 3) & (j >> 3) & i & j);
      if (!meets_to<host_tree>(a.e, b.e, both.e)) return false;
      if (host_tree::within(a.e, b.e) != ((i & ~j & 7) == 0)) return false;
    }
  return true;
}

constexpr bool denied_is_a_lattice() {
  for (unsigned i = 0; i < 8; ++i)
    for (unsigned j = 0; j < 8; ++j) {
      const made a(i, 7), b(j, 7), either(i | j, 7);
      if (!meets_to<denied_tree>(a.e, b.e, either.e)) return false;
      if (denied_tree::within(a.e, b.e) != ((j & ~i) == 0)) return false;
    }
  return true;
}

} // namespace

TEST_CASE("tree: the meet of allowed ports is their intersection") {
  CHECK(allowed_is_a_lattice());
  HOLDS(meets_to<host_tree>(made(3, 7).e, made(6, 7).e, made(2, 7).e));
  HOLDS(meets_to<host_tree>(made(3, 1).e, made(3, 3).e, made(3, 1).e));
  HOLDS(meets_to<host_tree>(made(8, 0).e, made(3, 1).e, made(3, 1).e));
  HOLDS(meets_to<host_tree>(made(3, 1).e, {"x", 0, {}}, {"x", 0, {}}));
}

TEST_CASE("tree: the meet of denied ports is their union") {
  CHECK(denied_is_a_lattice());
  HOLDS(meets_to<denied_tree>(made(1, 7).e, made(2, 7).e, made(3, 7).e));
  HOLDS(meets_to<denied_tree>(made(8, 7).e, made(2, 7).e, made(8, 7).e));
  HOLDS(meets_to<denied_tree>({"x", 0, {}}, made(2, 7).e, made(2, 7).e));
}

TEST_CASE("tree: a meet with too many ranges is an error") {
  port_set odd, even;
  for (std::uint16_t i = 0; i < port_set::most; ++i)
    odd.append({static_cast<std::uint16_t>(1 + 8 * i), static_cast<std::uint16_t>(1 + 8 * i)});
  for (std::uint16_t i = 0; i < port_set::most; ++i)
    even.append({static_cast<std::uint16_t>(5 + 8 * i), static_cast<std::uint16_t>(5 + 8 * i)});
  port_grant_writer x, y;
  const entry a = x.write("x", {odd.view(), odd.view()}), b = y.write("x", {even.view(), even.view()});
  bool called = false;
  CHECK(!denied_tree::meet(a, b, [&](entry) { called = true; }));
  CHECK(!called);
  CHECK(host_tree::meet(a, b, [&](entry e) { called = e.value == 0; }));
  CHECK(called);
  CHECK(denied_tree::meet(a, a, [](entry) {}));
}

} // namespace host_tree_test
