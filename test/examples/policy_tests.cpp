// SPDX-License-Identifier: BSL-1.0
/// Unit tests of one policy on six systems, on any host: no program is started.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <cordon.hpp>
#include <cordon/backend/backends.hpp>
#include <cordon/query/query_plan.hpp>

#include <string_view>

using namespace cordon::dsl;
using cordon::right;

namespace {

/// Where the product keeps its files.
struct places {
  std::string_view tools, assets, keys, out, home;
};
constexpr places posix{"/usr", "/srv/assets", "/srv/assets/keys", "/srv/out", "/home"};
constexpr places windows{"/C:/Product/bin", "/C:/Product/assets", "/C:/Product/assets/keys", "/C:/Product/out",
                         "/C:/Users"};

constexpr cordon::policy renderer(const places& p) {
  return cordon::policy_of({can_run(p.tools), can_read(p.assets), can_write(p.out), can_use(cordon::ability::spawn)});
}
constexpr cordon::policy without_keys(const places& p) {
  return renderer(p) & cordon::policy_of({can_write("/"), hidden(p.keys), can_use(cordon::ability::spawn)});
}

/// What holds on each system.
template <class Compile> void check(const places& p, Compile&& compile) {
  const auto plan = compile(renderer(p));
  CHECK(permits(plan, can_read(p.assets)));
  CHECK(refuses(plan, grant(p.assets, right::write | right::create | right::remove)));
  CHECK(refuses(plan, can_read(p.home)));
  CHECK(!permits(plan, cordon::process_feature::any_host));
  CHECK(!permits(compile(without_keys(p)), grant(p.keys, right::read)));
}

} // namespace

TEST_CASE("Linux") {
  check(posix, [](const auto& p) { return cordon::on_linux::compile(p, {}); });
}
TEST_CASE("bubblewrap") {
  check(posix, [](const auto& p) { return cordon::bubblewrap::compile(p, {}); });
}
TEST_CASE("macOS") {
  check(posix, [](const auto& p) { return cordon::seatbelt::compile(p, {}); });
}
TEST_CASE("Windows") {
  check(windows, [](const auto& p) { return cordon::appcontainer::compile(p, {}); });
}
TEST_CASE("OpenBSD") {
  check(posix, [](const auto& p) { return cordon::unveil::compile(p, {}); });
}
TEST_CASE("containers") {
  check(posix, [](const auto& p) { return cordon::container::compile(p, {}); });
}

TEST_CASE("a container shows a hidden directory as an empty one, and says so") {
  const auto plan = cordon::container::compile(without_keys(posix), {});
  CHECK(permits(plan, grant(posix.keys, right::list)));
  CHECK(plan.gaps.has("container.mask", posix.keys));
}
