// SPDX-License-Identifier: BSL-1.0
// The README's example of a product's own test is the first case here.
#include <cordon/backend/backends.hpp>
#include <cordon/query/query_plan.hpp>

#include <doctest/doctest.h>

#include <sstream>

namespace {

using namespace cordon::dsl;
using cordon::right;

constexpr cordon::policy plugin_host =
    cordon::policy_of({can_run("/usr"), can_read("/etc"), can_write("/srv/plugins")});

} // namespace

TEST_CASE("our plug-in host cannot write to /etc: not on macOS, and on Linux with ABI 3 neither") {
  constexpr auto write_etc = grant("/etc", right::write | right::create | right::remove);
  const auto mac = cordon::seatbelt::compile(plugin_host, {});
  const auto linux_abi_3 = cordon::landlock::compile(plugin_host, {.abi = 3});
  CHECK(!permits_any(mac, write_etc));
  CHECK(!permits_any(linux_abi_3, write_etc));
  CHECK(permits(mac, can_write("/srv/plugins/cache")));
  CHECK(permits(linux_abi_3, can_write("/srv/plugins/cache")));
  CHECK(linux_abi_3.gaps.has("landlock.attributes")); // it may still change modes there, and the plan reports this
}

TEST_CASE("all rights of a clause, or any of them") {
  constexpr auto plan = cordon::landlock::compile(plugin_host, {.abi = 7});
  static_assert(permits(plan, can_run("/usr/bin")));
  static_assert(!permits(plan, can_write("/etc")));
  static_assert(permits_any(plan, can_write("/etc")), "it can read there, which can_write grants too");
  static_assert(!permits_any(plan, grant("/srv", right::write | right::create)));
  constexpr auto view = cordon::namespaces::compile(plugin_host, {});
  static_assert(!permits(view, cordon::process_feature::any_host));
}

TEST_CASE("a reply prints the question and each answer") {
  const auto plan = cordon::landlock::compile(plugin_host, {.abi = 7});
  std::ostringstream said;
  said << permits(plan, grant("/etc", right::read | right::write));
  CHECK(said.str() == "/etc: read allow, write refuse");
  CHECK(doctest::toString(permits(plan, can_read("/root"))) == doctest::String("/root: read refuse, list refuse"));
}
