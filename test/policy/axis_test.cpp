// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/policy/axis.hpp>

using namespace cordon;

TEST_CASE("axis: every axis has a name of its own") {
  HOLDS(name(axis::profile) == "profile");
  HOLDS(name(axis::environment) == "environment");
  HOLDS(name(axis::fallback) == "fallback");
  for (int i = 0; i <= static_cast<int>(axis::fallback); ++i)
    for (int j = 0; j < i; ++j) CHECK(name(static_cast<axis>(i)) != name(static_cast<axis>(j)));
}

TEST_CASE("axis: every part belongs to the axis whose word it goes by") {
  HOLDS(axis_of(part::capabilities) == axis::capabilities);
  HOLDS(axis_of(part::workspace) == axis::workspace);
  HOLDS(axis_of(part::files) == axis::files);
  HOLDS(axis_of(part::hosts) == axis::hosts);
  HOLDS(axis_of(part::denied_hosts) == axis::hosts);
  HOLDS(axis_of(part::sockets) == axis::sockets);
  HOLDS(axis_of(part::calls) == axis::syscalls);
  HOLDS(axis_of(part::environment) == axis::environment);
  HOLDS(axis_of(part::executables) == axis::guard);
}
