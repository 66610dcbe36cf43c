// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"
#include "../samples.hpp"

#include <cordon/backend/landlock.hpp>
#include <cordon/gap/gap_text.hpp>

#include <algorithm>
#include <iterator>
#include <string>

namespace gap_gap_text_test {

using namespace cordon;

TEST_CASE("gap_text: an unknown gap ID has an empty text") {
  HOLDS(gap_text("landlock").empty());
  HOLDS(gap_text("").empty());
  HOLDS(!gap_text("landlock.siblings").empty());
  HOLDS(!gap_text("tree.daemons").empty()); // of no backend
  HOLDS(!gap_text("network.host_loopback").empty());
}

TEST_CASE("gap_text: each gap type of a run has its own ID and description") {
  for (const gap_type& t : run_gap_types) {
    CAPTURE(std::string(t.id));
    CHECK(gap_text(t.id) == t.description);
    CHECK(std::count_if(std::begin(run_gap_types), std::end(run_gap_types),
                        [&](const gap_type& other) { return other.id == t.id; }) == 1);
  }
}

TEST_CASE("gap_text: every gap of Landlock has a text") {
  for (const samples::sample& s : samples::all)
    for (int abi = 0; abi <= landlock::highest_abi; ++abi) {
      const auto plan = landlock::compile(s.policy, {abi});
      for (std::uint32_t i = 0; i < plan.gaps.size(); ++i) {
        CAPTURE(std::string(plan.gaps[i].what));
        CHECK(!gap_text(plan.gaps[i].what).empty());
      }
    }
}

} // namespace gap_gap_text_test
