// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/gap/plan.hpp>

namespace gap_plan_test {

using namespace cordon;

namespace {

constexpr gap_type root{"a.root", gap_kind::tightened, {}, gap_extent::beneath, {}, ""};
constexpr gap_type siblings{"a.siblings", gap_kind::tightened, {}, gap_extent::beneath, {}, ""};
constexpr gap_type attributes{"a.attributes", gap_kind::unenforced, {}, gap_extent::beneath, {}, ""};

constexpr auto gaps = [] {
  gap_list<fixed_storage<3, 64>> g;
  g.add(root);
  g.add(siblings, "/srv");
  return g;
}();
constexpr auto open = [] {
  auto g = gaps;
  g.add(attributes);
  return g;
}();

} // namespace

TEST_CASE("plan: a gap is tightened or unenforced") {
  HOLDS(name(gap_kind::tightened) == "tightened");
  HOLDS(name(gap_kind::unenforced) == "unenforced");
}

TEST_CASE("plan: gaps are listed in the order in which they were added") {
  HOLDS(gaps.size() == 2);
  HOLDS(gaps[0].kind == gap_kind::tightened && gaps[0].what == "a.root" && gaps[0].place.empty());
  HOLDS(gaps[1].what == "a.siblings" && gaps[1].place == "/srv");
  HOLDS(open[2].kind == gap_kind::unenforced && open[2].what == "a.attributes" && open[2].place.empty());
}

TEST_CASE("plan: a gap without a path is a gap everywhere") {
  HOLDS(gaps.has("a.root"));
  HOLDS(gaps.has("a.root", "/x"));
  HOLDS(gaps.has("a.siblings", "/srv"));
  HOLDS(!gaps.has("a.siblings", "/srv/a"));
  HOLDS(!gaps.has("a.siblings"));
  HOLDS(!gaps.has("a"));
  HOLDS(gaps.has(root) && gaps.has(siblings, "/srv") && !gaps.has(siblings, "/") && !gaps.has(attributes));
}

TEST_CASE("plan: a gap of another plan is added with its kind, type and place") {
  constexpr auto copy = [] {
    gap_list<fixed_storage<3, 64>> g;
    for (std::uint32_t i = 0; i < open.size(); ++i) g.add(open[i]);
    return g;
  }();
  HOLDS(copy.size() == 3 && copy[0].is(root) && copy[1].is(siblings) && copy[1].place == "/srv");
  HOLDS(copy[2].is(attributes) && copy[2].kind == gap_kind::unenforced);
}

TEST_CASE("plan: only an unenforced gap is open") {
  HOLDS(!gaps.any_unenforced());
  HOLDS(open.any_unenforced());
}

TEST_CASE("plan: adding to a full list fails") {
  auto g = open;
  CHECK(!g.add(root));
  CHECK(g.size() == 3);
}

} // namespace gap_plan_test
