// SPDX-License-Identifier: BSL-1.0
/// The headers stand the macros of windows.h, which come first in many a program.
#include <windows.h>

#include <winioctl.h>
#include <winsock2.h>

#include <cordon.hpp>
#include <cordon/backend/backends.hpp>
#include <cordon/policy/heap.hpp>

#include <doctest/doctest.h>

TEST_CASE("windows macros: a policy after windows.h") {
  using namespace cordon::dsl;
  constexpr cordon::policy p = cordon::policy_of({can_read("/C:/work")});
  static_assert(p.files().size() == 1);
  CHECK(cordon::appcontainer::compile(p, {}).error.code == cordon::errc::ok);
}
