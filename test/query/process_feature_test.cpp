// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon.hpp>
#include <cordon/query/query.hpp>

using namespace cordon;
using namespace cordon::dsl;

TEST_CASE("facilities are sets with names") {
  constexpr process_features both = process_feature::spawn | process_feature::listen;
  HOLDS(both.has(process_feature::spawn));
  HOLDS(both.has(process_feature::listen));
  HOLDS(!both.has(process_feature::loopback));
  HOLDS(!process_features(process_feature::loopback).has(process_feature::spawn));
  HOLDS(process_features() == process_features());
  HOLDS(!(both == process_features(process_feature::spawn)));
  HOLDS(name(process_feature::any_port) == "any_port");
}

TEST_CASE("a policy allows the facilities that its axes speak about") {
  constexpr policy quiet = policy_of({can_run("/usr"), can_use(ability::spawn)});
  HOLDS(allows(quiet, process_feature::spawn));
  HOLDS(!allows(quiet, process_feature::some_host));
  HOLDS(!allows(quiet, process_feature::loopback));
  constexpr policy talks = policy_of({can_connect("a.example"), can_listen("80"), can_use_loopback()});
  HOLDS(!allows(talks, process_feature::spawn));
  HOLDS(allows(talks, process_feature::some_host));
  HOLDS(!allows(talks, process_feature::any_host));
  HOLDS(allows(talks, process_feature::listen));
  HOLDS(!allows(talks, process_feature::any_port));
  HOLDS(allows(talks, process_feature::loopback));
  constexpr policy all = unconfined(widening::all_axes{});
  HOLDS(allows(all, process_feature::any_host) && allows(all, process_feature::any_port));
  constexpr policy offline = [all] {
    policy p = all;
    p.level = level::process_exec;
    return p;
  }();
  for (std::size_t i = 1; i < facility_names.size(); ++i) CHECK(!allows(offline, static_cast<process_feature>(i)));
  HOLDS(allows(offline, process_feature::spawn));
  HOLDS(!allows(offline, process_feature::any_port));
  HOLDS(!allows(offline, process_feature::loopback));
}
