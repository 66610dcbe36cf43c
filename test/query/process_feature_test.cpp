// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon.hpp>
#include <cordon/query/query.hpp>

using namespace cordon;
using namespace cordon::dsl;

TEST_CASE("facilities are sets with names") {
  constexpr facilities both = facility::spawn | facility::listen;
  HOLDS(both.has(facility::spawn));
  HOLDS(both.has(facility::listen));
  HOLDS(!both.has(facility::loopback));
  HOLDS(facilities() == facilities());
  HOLDS(!(both == facilities(facility::spawn)));
  HOLDS(name(facility::any_port) == "any_port");
}

TEST_CASE("a policy allows the facilities that its axes speak about") {
  constexpr policy quiet = policy_of({can_run("/usr"), can_use(ability::spawn)});
  HOLDS(allows(quiet, facility::spawn));
  HOLDS(!allows(quiet, facility::some_host));
  HOLDS(!allows(quiet, facility::loopback));
  constexpr policy talks = policy_of({can_connect("a.example"), can_listen("80"), can_use_loopback()});
  HOLDS(!allows(talks, facility::spawn));
  HOLDS(allows(talks, facility::some_host));
  HOLDS(!allows(talks, facility::any_host));
  HOLDS(allows(talks, facility::listen));
  HOLDS(!allows(talks, facility::any_port));
  HOLDS(allows(talks, facility::loopback));
  constexpr policy all = unconfined(widening::all_axes{});
  HOLDS(allows(all, facility::any_host) && allows(all, facility::any_port));
}
