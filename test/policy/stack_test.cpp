// SPDX-License-Identifier: BSL-1.0
#include <cordon/policy/dsl.hpp>
#include <cordon/policy/stack.hpp>
#include <cordon/policy/widen.hpp>

#include <doctest/doctest.h>

namespace policy_stack_test {

using namespace cordon;
using namespace cordon::dsl;

namespace {

loaded_policy writing(std::initializer_list<clause> clauses) { return policy_of<loaded_policy>(clauses); }

} // namespace

TEST_CASE("policy_stack: a pushed policy narrows the one below, and never replaces it") {
  policy_stack stack(writing({can_write("/srv")}));
  {
    const auto one = stack.push(writing({can_write("/srv/a"), can_write("/etc")}));
    CHECK(stack.top().files().lookup("/srv/a/x") == verb::write.bits());
    CHECK(stack.top().files().lookup("/etc/x") == 0);
    CHECK(stack.top().files().lookup("/srv/b") == 0);
    {
      const auto two = stack.push(unconfined<loaded_policy>(widening::all_axes{}));
      CHECK(stack.top().files().lookup("/srv/b") == 0);
      CHECK(stack.depth() == 3);
    }
    CHECK(stack.depth() == 2);
  }
  CHECK(stack.top().files().lookup("/srv/b") == verb::write.bits());
}

TEST_CASE("policy_stack: an empty policy stays empty under every pushed policy") {
  policy_stack stack(writing({can_write("/a")}));
  const auto none = stack.push(writing({can_write("/b")}));
  const auto more = stack.push(writing({can_write("/a"), can_write("/b")}));
  CHECK(stack.top().files().empty());
}

TEST_CASE("policy_stack: tighten makes a policy stricter, never looser") {
  policy_stack stack(writing({can_write("/a")}));
  const auto call = stack.push(writing({can_write("/a")}));
  CHECK(stack.tighten(profile::os_hardened));
  CHECK(stack.top().profile == profile::os_hardened);
  CHECK_FALSE(stack.tighten(profile::worktree));
  CHECK_FALSE(stack.tighten(fallback::off));
  CHECK(stack.tighten(fallback::enforce));
}

TEST_CASE("policy_stack: a stack for another thread starts with the top of this one") {
  policy_stack stack(writing({can_write("/srv")}));
  const auto narrow = stack.push(writing({can_read("/srv/a")}));
  policy_stack other(stack.top());
  const auto more = other.push(writing({can_write("/srv")}));
  CHECK(other.top() <= stack.top());
  CHECK(other.top().files().lookup("/srv/a/x") == verb::read.bits());
}

} // namespace policy_stack_test
