// SPDX-License-Identifier: BSL-1.0
/// A failed expectation of GoogleTest prints the query and each verdict.
#include <cordon/backend/backends.hpp>
#include <cordon/query/query_plan.hpp>

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

namespace {

using namespace cordon::dsl;

TEST(query_plan, a_query_result_is_a_condition_and_prints_itself) {
  constexpr cordon::policy host = cordon::policy_of({can_run("/usr"), can_write("/srv/plugins")});
  const auto plan = cordon::seatbelt::compile(host, {});
  EXPECT_TRUE(permits(plan, can_write("/srv/plugins/cache")));
  EXPECT_FALSE(permits_any(plan, grant("/etc", cordon::right::write)));
  EXPECT_EQ(testing::PrintToString(permits(plan, can_read("/etc"))), "/etc: read refuse, list refuse");
  EXPECT_EQ(testing::PrintToString(permits(plan, can_run("/usr"))), "/usr: read allow, list allow, run allow");
}

TEST(query_plan, a_failed_expectation_prints_the_query_and_each_ruling) {
  constexpr cordon::policy host = cordon::policy_of({can_run("/usr"), can_write("/srv/plugins")});
  const auto plan = cordon::seatbelt::compile(host, {});
  EXPECT_NONFATAL_FAILURE(EXPECT_TRUE(permits(plan, can_read("/etc"))), "false (/etc: read refuse, list refuse)");
  EXPECT_NONFATAL_FAILURE(EXPECT_FALSE(permits(plan, can_read("/usr"))), "true (/usr: read allow, list allow)");
  EXPECT_NONFATAL_FAILURE(EXPECT_TRUE(!permits_any(plan, can_read("/usr"))), "(/usr: read allow, list allow)");
  EXPECT_NONFATAL_FAILURE(EXPECT_FALSE(!permits_any(plan, can_read("/etc"))), "(/etc: read refuse, list refuse)");
  EXPECT_NONFATAL_FAILURE(EXPECT_TRUE(refuses(plan, can_read("/usr"))), "(/usr: read allow, list allow)");
}

} // namespace
