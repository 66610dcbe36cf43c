// SPDX-License-Identifier: BSL-1.0
#include "holds.hpp"

#include <cordon.hpp>
#include <cordon/backend/floor.hpp>

namespace backend_floor_test {

using namespace cordon;
using namespace cordon::dsl;

namespace {
constexpr auto some =
    policy_of({can_write("/a"), can_read("/a/b"), hidden("/a/b/c"), can_run("/a/d"), can_read("/ab")});
constexpr rights floor(std::string_view place) { return floor_at(some.files(), place); }
} // namespace

TEST_CASE("floor: the rights that a path and everything below it have") {
  HOLDS(floor("/") == rights());
  HOLDS(floor("/a") == rights());
  HOLDS(floor("/a/b") == rights());
  HOLDS(floor("/a/b/x") == verb::read);
  HOLDS(floor("/a/b/c/x") == rights());
  HOLDS(floor("/a/d") == verb::run);
  HOLDS(floor("/a/x") == verb::write);
  HOLDS(floor("/ab") == verb::read);
}

} // namespace backend_floor_test
