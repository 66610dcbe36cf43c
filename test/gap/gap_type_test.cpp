// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/gap/gap_type.hpp>

namespace gap_gap_type_test {

using namespace cordon;

namespace {
constexpr slot slots[]{{0, 1, no_slot, 0}, {1, 2, 0, 0}, {3, 6, 1, 0}};
constexpr step_function<path_tree> clauses(slots, 3, "//a/a/b/c");
constexpr gap_type here{"x.here", gap_kind::tightened, right::read, gap_extent::place, {}, ""};
constexpr gap_type inside{"x.inside", gap_kind::unenforced, right::read | right::list, gap_extent::children, {}, ""};
constexpr gap_type below{"x.below", gap_kind::tightened, right::run, gap_extent::beneath, {}, ""};
constexpr gap_type own{"x.own", gap_kind::tightened, right::run, gap_extent::entry, {}, ""};
} // namespace

TEST_CASE("gap_type: a gap explains its own rights, in its own direction") {
  HOLDS(explains(here, "/a", clauses, right::read, "/a", false));
  HOLDS(!explains(here, "/a", clauses, right::read, "/a", true));
  HOLDS(!explains(here, "/a", clauses, right::list, "/a", false));
  HOLDS(explains(inside, "/a", clauses, right::list, "/a/b", true));
  HOLDS(!explains(inside, "/a", clauses, right::list, "/a/b", false));
}

TEST_CASE("gap_type: a gap explains the paths of its scope, and without a path all of them") {
  HOLDS(!explains(here, "/a", clauses, right::read, "/a/b", false));
  HOLDS(!explains(here, "/a", clauses, right::read, "/", false));
  HOLDS(explains(here, "", clauses, right::read, "/any/where", false));
  HOLDS(!explains(inside, "/a", clauses, right::read, "/a", true));
  HOLDS(!explains(inside, "/a", clauses, right::read, "/a/b/c", true));
  HOLDS(!explains(inside, "/", clauses, right::read, "/", true));
  HOLDS(explains(inside, "/", clauses, right::read, "/a", true));
  HOLDS(explains(below, "/a", clauses, right::run, "/a", false));
  HOLDS(explains(below, "/a", clauses, right::run, "/a/b/c", false));
  HOLDS(!explains(below, "/a", clauses, right::run, "/ab", false));
}

TEST_CASE("gap_type: a gap of scope clause explains paths down to the next clause") {
  HOLDS(explains(own, "/a", clauses, right::run, "/a", false));
  HOLDS(explains(own, "/a", clauses, right::run, "/a/b", false));
  HOLDS(!explains(own, "/a", clauses, right::run, "/a/b/c", false));
  HOLDS(!explains(own, "/", clauses, right::run, "/a", false));
  HOLDS(!explains(own, "/a", clauses, right::run, "/b", false));
}

} // namespace gap_gap_type_test
