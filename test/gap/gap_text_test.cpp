// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"
#include "../samples.hpp"

#include <cordon/backend/landlock.hpp>
#include <cordon/gap/gap_text.hpp>

#include <string>

using namespace cordon;

TEST_CASE("gap_text: a topic that nobody has is no sentence") {
  HOLDS(gap_text("landlock").empty());
  HOLDS(gap_text("").empty());
  HOLDS(!gap_text("landlock.siblings").empty());
  HOLDS(!gap_text("tree.daemons").empty()); // of no backend
  HOLDS(!gap_text("network.host_loopback").empty());
}

TEST_CASE("gap_text: every gap that Landlock leaves is told in words") {
  for (const samples::sample& s : samples::all)
    for (int abi = 0; abi <= landlock::highest_abi; ++abi) {
      const auto plan = landlock::compile(s.policy, {abi});
      for (std::uint32_t i = 0; i < plan.gaps.size(); ++i) {
        CAPTURE(std::string(plan.gaps[i].what));
        CHECK(!gap_text(plan.gaps[i].what).empty());
      }
    }
}
