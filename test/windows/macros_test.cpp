// SPDX-License-Identifier: BSL-1.0
/// The headers compile after windows.h, whose macros many programs define first.
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
  CHECK(cordon::appcontainer::compile(p, {}).error.code == cordon::diagnostic_code::ok);
}
