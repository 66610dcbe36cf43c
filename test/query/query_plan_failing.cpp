// SPDX-License-Identifier: BSL-1.0
/// Checks that fail. tools/failing_checks.py looks in the output for the text of each `prints:`, which no other check
/// prints. A check that ends its case is in a case of its own.
#if defined WITH_GTEST
#include <gtest/gtest.h>
#elif defined WITH_CATCH2
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#else
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#endif

#include <cordon/backend/backends.hpp>
#include <cordon/query/query_plan.hpp>

using namespace cordon::dsl;
using cordon::process_feature;

namespace {

constexpr cordon::policy host =
    cordon::policy_of({can_run("/usr"), can_write("/srv"), can_use(cordon::ability::spawn)});
const auto plan = cordon::seatbelt::compile(host, {});

#ifdef WITH_GTEST

TEST(query_plan, a_failed_expectation_prints_the_query_and_each_ruling) {
  EXPECT_TRUE(permits(plan, can_read("/a")));             // prints: /a: read refuse, list refuse
  EXPECT_TRUE(!permits_any(plan, can_read("/usr/b")));    // prints: /usr/b: read allow, list allow
  EXPECT_TRUE(refuses(plan, can_read("/usr/c")));         // prints: /usr/c: read allow, list allow
  EXPECT_FALSE(permits(plan, can_read("/usr/d")));        // prints: /usr/d: read allow, list allow
  EXPECT_FALSE(!permits_any(plan, can_read("/e")));       // prints: /e: read refuse, list refuse
  EXPECT_FALSE(refuses(plan, can_read("/f"))) << "why";   // prints: /f: read refuse, list refuse
  EXPECT_TRUE(permits(plan, process_feature::any_host));  // prints: any_host: refuse
  EXPECT_FALSE(permits(plan, process_feature::spawn));    // prints: spawn: allow
  EXPECT_FALSE(refuses(plan, process_feature::loopback)); // prints: loopback: refuse
}

TEST(query_plan, a_failed_assertion_prints_the_query_and_each_ruling) {
  ASSERT_TRUE(permits(plan, can_read("/g"))); // prints: /g: read refuse, list refuse
}

TEST(query_plan, a_failed_assertion_of_the_opposite_prints_the_query_and_each_ruling) {
  ASSERT_FALSE(permits_any(plan, can_read("/usr/h"))); // prints: /usr/h: read allow, list allow
}

#else

TEST_CASE("query_plan: a failed check prints the query and each ruling") {
  CHECK(permits(plan, can_read("/a")));                  // prints: /a: read refuse, list refuse
  CHECK(!permits_any(plan, can_read("/usr/b")));         // prints: /usr/b: read allow, list allow
  CHECK(refuses(plan, can_read("/usr/c")));              // prints: /usr/c: read allow, list allow
  CHECK_FALSE(permits(plan, can_read("/usr/d")));        // prints: /usr/d: read allow, list allow
  CHECK_FALSE(!permits_any(plan, can_read("/e")));       // prints: /e: read refuse, list refuse
  CHECK_FALSE(refuses(plan, can_read("/f")));            // prints: /f: read refuse, list refuse
  CHECK(permits(plan, process_feature::any_host));       // prints: any_host: refuse
  CHECK_FALSE(permits(plan, process_feature::spawn));    // prints: spawn: allow
  CHECK_FALSE(refuses(plan, process_feature::loopback)); // prints: loopback: refuse
}

TEST_CASE("query_plan: a failed requirement prints the query and each ruling") {
  REQUIRE(permits(plan, can_read("/g"))); // prints: /g: read refuse, list refuse
}

TEST_CASE("query_plan: a failed requirement of the opposite prints the query and each ruling") {
  REQUIRE_FALSE(permits_any(plan, can_read("/usr/h"))); // prints: /usr/h: read allow, list allow
}

#endif

} // namespace
