// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/gap/plan.hpp>

using namespace cordon;

namespace {

constexpr auto gaps = [] {
  gap_list<fixed<3, 64>> g;
  g.add(gap_kind::tightened, "a.root");
  g.add(gap_kind::tightened, "a.siblings", "/srv");
  return g;
}();
constexpr auto open = [] {
  auto g = gaps;
  g.add(gap_kind::unenforced, "a.attributes");
  return g;
}();

} // namespace

TEST_CASE("plan: a gap is tightened or unenforced") {
  HOLDS(name(gap_kind::tightened) == "tightened");
  HOLDS(name(gap_kind::unenforced) == "unenforced");
}

TEST_CASE("plan: gaps stand in the order in which they were found") {
  HOLDS(gaps.size() == 2);
  HOLDS(gaps[0].kind == gap_kind::tightened && gaps[0].what == "a.root" && gaps[0].place.empty());
  HOLDS(gaps[1].what == "a.siblings" && gaps[1].place == "/srv");
  HOLDS(open[2].kind == gap_kind::unenforced && open[2].what == "a.attributes" && open[2].place.empty());
}

TEST_CASE("plan: a gap without a place is a gap everywhere") {
  HOLDS(gaps.has("a.root"));
  HOLDS(gaps.has("a.root", "/x"));
  HOLDS(gaps.has("a.siblings", "/srv"));
  HOLDS(!gaps.has("a.siblings", "/srv/a"));
  HOLDS(!gaps.has("a.siblings"));
  HOLDS(!gaps.has("a"));
}

TEST_CASE("plan: only an unenforced gap is open") {
  HOLDS(!gaps.any_unenforced());
  HOLDS(open.any_unenforced());
}

TEST_CASE("plan: a full list says so") {
  auto g = open;
  CHECK(!g.add(gap_kind::tightened, "a.more"));
  CHECK(g.size() == 3);
}
