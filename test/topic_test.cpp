// SPDX-License-Identifier: BSL-1.0
#include "holds.hpp"

#include <cordon/topic.hpp>

using namespace cordon;

namespace {
constexpr topic here{"x.here", gap_kind::tightened, right::read, scope::place, {}, ""};
constexpr topic inside{"x.inside", gap_kind::unenforced, right::read | right::list, scope::children, {}, ""};
constexpr topic below{"x.below", gap_kind::tightened, right::run, scope::beneath, {}, ""};
} // namespace

TEST_CASE("a topic explains its own rights, in its own direction") {
  HOLDS(explains(here, "/a", right::read, "/a", false));
  HOLDS(!explains(here, "/a", right::read, "/a", true));
  HOLDS(!explains(here, "/a", right::list, "/a", false));
  HOLDS(explains(inside, "/a", right::list, "/a/b", true));
  HOLDS(!explains(inside, "/a", right::list, "/a/b", false));
}

TEST_CASE("a topic explains the places of its scope, and without a place all of them") {
  HOLDS(!explains(here, "/a", right::read, "/a/b", false));
  HOLDS(!explains(here, "/a", right::read, "/", false));
  HOLDS(explains(here, "", right::read, "/any/where", false));
  HOLDS(!explains(inside, "/a", right::read, "/a", true));
  HOLDS(!explains(inside, "/a", right::read, "/a/b/c", true));
  HOLDS(!explains(inside, "/", right::read, "/", true));
  HOLDS(explains(inside, "/", right::read, "/a", true));
  HOLDS(explains(below, "/a", right::run, "/a", false));
  HOLDS(explains(below, "/a", right::run, "/a/b/c", false));
  HOLDS(!explains(below, "/a", right::run, "/ab", false));
}
