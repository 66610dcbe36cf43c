// SPDX-License-Identifier: BSL-1.0
// The README's example of a product's own test is the first case here.
#include <cordon/backend/backends.hpp>
#include <cordon/query/query_plan.hpp>

#include <doctest/doctest.h>

#include <sstream>

namespace query_query_plan_test {

namespace {

using namespace cordon::dsl;
using cordon::right;

constexpr cordon::policy plugin_host =
    cordon::policy_of({can_run("/usr"), can_read("/etc"), can_write("/srv/plugins")});

} // namespace

TEST_CASE("query_plan: a plug-in host cannot write to /etc on macOS and on Linux with ABI 3") {
  constexpr auto write_etc = grant("/etc", right::write | right::create | right::remove);
  const auto mac = cordon::seatbelt::compile(plugin_host, {});
  const auto linux_abi_3 = cordon::landlock::compile(plugin_host, {.abi = 3});
  CHECK(refuses(mac, write_etc));
  CHECK(refuses(linux_abi_3, write_etc));
  CHECK(permits(mac, can_write("/srv/plugins/cache")));
  CHECK(permits(linux_abi_3, can_write("/srv/plugins/cache")));
  CHECK(linux_abi_3.gaps.has("landlock.attributes")); // it may still change modes there, and the plan reports this
}

TEST_CASE("query_plan: permits needs all rights of a clause, permits_any needs one") {
  constexpr auto plan = cordon::landlock::compile(plugin_host, {.abi = 7});
  static_assert(permits(plan, can_run("/usr/bin")));
  static_assert(!permits(plan, can_write("/etc")));
  static_assert(permits_any(plan, can_write("/etc")), "it can read there, which can_write grants too");
  static_assert(!permits_any(plan, grant("/srv", right::write | right::create)));
  static_assert(refuses(plan, grant("/srv", right::write | right::create)));
  static_assert(!refuses(plan, can_write("/etc")), "refuses means that no right is permitted");
  constexpr auto write_etc = grant("/etc", right::write);
  constexpr auto view = cordon::namespaces::compile(plugin_host, {});
  static_assert(!permits(view, cordon::process_feature::any_host));
  static_assert(refuses(view, cordon::process_feature::any_host));
  static_assert(static_cast<const bool&>(!!(refuses(view, write_etc))), "Catch2 3 compiles this of each check");
  static_assert(static_cast<const bool&>(!!(refuses(view, cordon::process_feature::any_host))));
  static_assert(permits(view, cordon::process_feature::spawn) && !refuses(view, cordon::process_feature::spawn));
}

TEST_CASE("query_plan: a verdict prints the query and each right's ruling") {
  const auto plan = cordon::landlock::compile(plugin_host, {.abi = 7});
  std::ostringstream said;
  said << permits(plan, grant("/etc", right::read | right::write));
  CHECK(said.str() == "/etc: read allow, write refuse");
  said.str("");
  said << !permits(cordon::seatbelt::compile(plugin_host, {}), cordon::process_feature::any_host);
  CHECK(said.str() == "any_host: refuse");
  CHECK(doctest::toString(permits(plan, can_read("/root"))) == doctest::String("/root: read refuse, list refuse"));
}

} // namespace query_query_plan_test
