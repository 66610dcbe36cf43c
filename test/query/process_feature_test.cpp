// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon.hpp>
#include <cordon/query/query.hpp>

namespace query_process_feature_test {

using namespace cordon;
using namespace cordon::dsl;

TEST_CASE("process_feature: features form sets and have names") {
  constexpr process_features both = process_feature::spawn | process_feature::listen;
  HOLDS(both.has(process_feature::spawn));
  HOLDS(both.has(process_feature::listen));
  HOLDS(!both.has(process_feature::loopback));
  HOLDS(!process_features(process_feature::loopback).has(process_feature::spawn));
  HOLDS(process_features() == process_features());
  HOLDS(!(both == process_features(process_feature::spawn)));
  HOLDS(name(process_feature::any_port) == "any_port");
}

TEST_CASE("process_feature: a policy allows the features that its axes grant") {
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
  for (std::size_t i = 1; i < process_feature_names.size(); ++i) {
    const auto which = static_cast<process_feature>(i);
    CHECK(allows(offline, which) == (which == process_feature::own_sockets));
  }
  HOLDS(allows(offline, process_feature::spawn));
  HOLDS(!allows(offline, process_feature::any_port));
  HOLDS(!allows(offline, process_feature::loopback));
}

TEST_CASE("process_feature: sockets of the run's own begin at the level of programs") {
  constexpr auto at = [](level l) {
    policy p = policy_of({can_use_own_sockets()});
    p.level = l;
    return allows(p, process_feature::own_sockets);
  };
  HOLDS(at(level::network) && at(level::process_exec));
  HOLDS(!at(level::workspace_write) && !at(level::read_only) && !at(level::none));
  HOLDS(!allows(policy_of({can_use_loopback(), can_listen("80")}), process_feature::own_sockets));
  HOLDS(!allows(policy_of({can_use_own_sockets()}), process_feature::loopback));
  HOLDS(!allows(policy_of({can_use_own_sockets()}), process_feature::listen));
}

} // namespace query_process_feature_test
