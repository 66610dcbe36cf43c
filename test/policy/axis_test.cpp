// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/policy/axis.hpp>

namespace policy_axis_test {

using namespace cordon;

TEST_CASE("axis: every axis has a name of its own") {
  HOLDS(name(axis::profile) == "profile");
  HOLDS(name(axis::environment) == "environment");
  HOLDS(name(axis::fallback) == "fallback");
  for (int i = 0; i <= static_cast<int>(axis::fallback); ++i)
    for (int j = 0; j < i; ++j) CHECK(name(static_cast<axis>(i)) != name(static_cast<axis>(j)));
}

TEST_CASE("axis: every axis_id has its axis") {
  HOLDS(axis_of(axis_id::capabilities) == axis::capabilities);
  HOLDS(axis_of(axis_id::workspace) == axis::workspace);
  HOLDS(axis_of(axis_id::files) == axis::files);
  HOLDS(axis_of(axis_id::hosts) == axis::hosts);
  HOLDS(axis_of(axis_id::denied_hosts) == axis::hosts);
  HOLDS(axis_of(axis_id::sockets) == axis::sockets);
  HOLDS(axis_of(axis_id::calls) == axis::syscalls);
  HOLDS(axis_of(axis_id::environment) == axis::environment);
  HOLDS(axis_of(axis_id::executables) == axis::guard);
}

} // namespace policy_axis_test
