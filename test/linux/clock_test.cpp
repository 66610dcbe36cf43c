// SPDX-License-Identifier: BSL-1.0
#include "../../shims/common/run/clock.hpp"
#include "holds.hpp"

#include <doctest/doctest.h>

namespace linux_clock_test {

using cordon::shim::deadline_after;
using cordon::shim::never;

TEST_CASE("clock: a deadline that no clock reaches is before never, and does not wrap into the past") {
  HOLDS(deadline_after(5, 10) == 15);
  HOLDS(deadline_after(5, never) == never - 1);
  HOLDS(deadline_after(5, never - 5) == never - 1);
  HOLDS(deadline_after(5, never - 6) == never - 1);
  HOLDS(deadline_after(0, never - 1) == never - 1);
}

} // namespace linux_clock_test
