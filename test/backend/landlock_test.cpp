// SPDX-License-Identifier: BSL-1.0
#include "golden.hpp"
#include "holds.hpp"
#include "landlock_text.hpp"
#include "samples.hpp"

namespace backend_landlock_test {

using namespace cordon;
using namespace cordon::dsl;
using landlock::access_of;

namespace {

using small = basic_policy<fixed_storage<32, 512>>;

constexpr small p = policy_of<small>(
    {can_run("/usr"), can_write("/srv"), can_read("/srv/a/b"), hidden("/srv/a/c"), can_write("/srv/x/y")});
constexpr auto made = landlock::compile(p, {7});

constexpr bool may(right what, std::string_view place) { return landlock::permits(made.rules, what, place); }

template <class S> constexpr bool is_list(const S& storage, std::initializer_list<std::string_view> places) {
  const auto view = landlock::rules<S>::view(storage);
  std::uint32_t i = 0;
  for (const std::string_view place : places)
    if (i >= view.size() || view.place(i++) != place) return false;
  return i == view.size();
}

constexpr auto gaps_of(const small& policy, int abi) { return landlock::compile(policy, {abi}).gaps; }

std::uint32_t bits_of(const std::vector<std::string>& words, int abi) {
  std::uint32_t bits = 0;
  for (const std::string& w : words)
    if (w == "handled") bits |= landlock::handled(abi);
    else {
      std::uint32_t bit = 0;
      for (std::size_t i = 0; i < landlock::access_names.size(); ++i)
        if (landlock::access_names[i] == w) bit = 1U << i;
      REQUIRE(bit != 0);
      bits |= bit;
    }
  return bits;
}

rights rights_of(const std::vector<std::string>& words) {
  rights all;
  for (const std::string& w : words)
    for (std::size_t i = 0; i < right_names.size(); ++i)
      if (right_names[i] == w) all = all | static_cast<right>(i);
  return all;
}

} // namespace

TEST_CASE("landlock: runs_what_is_written finds a path that may be written and run") {
  constexpr auto runs = [](const small& policy) {
    return landlock::runs_what_is_written(landlock::compile(policy, {7}).rules);
  };
  HOLDS(runs(policy_of<small>({can_run("/usr"), can_write("/w")})));
  HOLDS(!runs(policy_of<small>({can_run("/usr"), grant("/w", verb::write - right::run)})));
}

TEST_CASE("landlock: each ABI handles the rights that it has, and no others") {
  HOLDS(landlock::handled(0) == 0);
  HOLDS(landlock::handled(1) == (1U << 13) - 1);
  HOLDS(landlock::handled(2) == (1U << 14) - 1);
  HOLDS(landlock::handled(4) == (1U << 15) - 1);
  HOLDS(landlock::handled(5) == (1U << 16) - 1);
  HOLDS(landlock::handled(8) == (1U << 16) - 1);
  HOLDS(landlock::handled(9) == (1U << 17) - 1);
  HOLDS(landlock::handled(99) == landlock::handled(landlock::highest_abi));
  HOLDS(landlock::handled(-1) == 0);
  HOLDS(landlock::scoped(5) == 0);
  HOLDS(landlock::scoped(6) == (landlock::ABSTRACT_UNIX_SOCKET | landlock::SIGNAL));
  HOLDS(landlock::known(11) == 10);
}

TEST_CASE("landlock: the ABIs are numbered and named from 1, and each access bit comes with one of them") {
  std::uint32_t access = 0, scope = 0;
  for (std::size_t i = 0; i < std::size(landlock::abi_table); ++i) {
    const landlock::abi_row& row = landlock::abi_table[i];
    CAPTURE(row.name);
    CHECK(row.abi == static_cast<int>(i) + 1);
    CHECK(row.name == std::to_string(row.abi));
    CHECK((row.adds_access & access) == 0);
    CHECK((row.adds_scope & scope) == 0);
    access |= row.adds_access;
    scope |= row.adds_scope;
  }
  CHECK(access == (1U << landlock::access_names.size()) - 1);
  CHECK(landlock::handled(landlock::highest_abi) == access);
  CHECK(landlock::scoped(landlock::highest_abi) == scope);
}

TEST_CASE("landlock: the kernel's structure grew with ABI 4 and 6") {
  HOLDS(landlock::ruleset_size(0) == 0);
  HOLDS(landlock::ruleset_size(1) == 8);
  HOLDS(landlock::ruleset_size(3) == 8);
  HOLDS(landlock::ruleset_size(4) == 16);
  HOLDS(landlock::ruleset_size(5) == 16);
  HOLDS(landlock::ruleset_size(6) == 24);
  HOLDS(landlock::ruleset_size(99) == 24);
}

TEST_CASE("landlock: what an ABI does not handle is a gap, and nothing else is") {
  struct {
    std::string_view gap;
    std::uint32_t access = 0, scope = 0;
  } constexpr expected[]{
      {"landlock.refer", landlock::REFER},      {"landlock.truncate", landlock::TRUNCATE},
      {"landlock.ioctl", landlock::IOCTL_DEV},  {"landlock.connect", landlock::RESOLVE_UNIX},
      {"landlock.signal", 0, landlock::SIGNAL}, {"landlock.abstract", 0, landlock::ABSTRACT_UNIX_SOCKET}};
  std::uint32_t access = 0, scope = 0;
  for (const auto& e : expected) access |= e.access, scope |= e.scope;
  for (const landlock::abi_row& row : landlock::abi_table) {
    CAPTURE(row.name);
    const auto made = landlock::compile(policy_of<small>({can_run("/usr")}), {.abi = row.abi});
    for (const auto& e : expected) {
      CAPTURE(e.gap);
      const bool handled =
          (landlock::handled(row.abi) & e.access) == e.access && (landlock::scoped(row.abi) & e.scope) == e.scope;
      CHECK(made.gaps.has(e.gap) != handled);
    }
    // An access or a scope that a later ABI adds needs a gap here.
    if (row.abi > 1) {
      CHECK((row.adds_access & ~access) == 0);
      CHECK((row.adds_scope & ~scope) == 0);
    }
  }
}

TEST_CASE("landlock: rights have the kernel's access bits") {
  HOLDS(access_of(right::run, 7) == landlock::EXECUTE);
  HOLDS(access_of(right::write, 2) == landlock::WRITE_FILE);
  HOLDS(access_of(right::connect, 8) == 0);
  HOLDS(access_of(right::connect, 9) == landlock::RESOLVE_UNIX);
  HOLDS(access_of(verb::hide, 10) == 0);
  HOLDS((access_of(verb::everything, 10) & (landlock::MAKE_CHAR | landlock::MAKE_BLOCK | landlock::IOCTL_DEV)) == 0);
  HOLDS(landlock::for_inode(access_of(verb::everything, 10), false) ==
        (landlock::EXECUTE | landlock::WRITE_FILE | landlock::READ_FILE | landlock::TRUNCATE | landlock::RESOLVE_UNIX));
  HOLDS(landlock::for_inode(landlock::READ_DIR, true) == landlock::READ_DIR);
}

TEST_CASE("landlock: device commands are allowed on the devices that a policy can grant, with write") {
  const auto commands = [](const policy& p, std::string_view place, landlock::target t) {
    const auto made = landlock::compile(p, t);
    return (landlock::detail::bits_at(made.rules, place) & landlock::IOCTL_DEV) != 0;
  };
  const policy p = policy_of<policy>({can_read("/"), can_read("/dev/kvm"), can_write("/dev/dri"),
                                      can_write("/dev/nvidia0"), hidden("/dev/nvidia-caps")});
  for (const bool mounts : {false, true}) {
    CHECK(commands(p, "/dev/nvidia0", {.abi = 5, .mounts = mounts}));
    CHECK(commands(p, "/dev/dri/card0", {.abi = 5, .mounts = mounts}));
    CHECK_FALSE(commands(p, "/dev/kvm", {.abi = 5, .mounts = mounts}));
    CHECK_FALSE(commands(p, "/dev/sda", {.abi = 5, .mounts = mounts}));
    CHECK_FALSE(commands(p, "/dev/nvidia0", {.abi = 4, .mounts = mounts}));
  }
}

TEST_CASE("landlock: the table of rights") {
  for (const vectors::row& row : vectors::table("landlock_rights.tsv", 20)) {
    CAPTURE(row.line());
    const int abi = std::stoi(row.text("abi"));
    const bool all = row.text("rights") == "handled";
    const std::uint32_t bits = all ? landlock::handled(abi) : access_of(rights_of(row.words("rights")), abi);
    CHECK(landlock::for_inode(bits, row.text("kind") == "directory") == bits_of(row.words("kernel"), abi));
  }
}

TEST_CASE("landlock: a directory above a restriction gets the common rights, its other children the full ones") {
  HOLDS(made.error.code == diagnostic_code::ok);
  HOLDS(is_list(made.rules.siblings, {"/srv", "/srv/a"}));
  HOLDS(is_list(made.rules.except, {"/srv/a", "/srv/a/b", "/srv/a/c"}));
  HOLDS(may(right::write, "/srv/q"));
  HOLDS(may(right::create, "/srv/q/new"));
  HOLDS(may(right::read, "/srv/a/b/x"));
  HOLDS(!may(right::write, "/srv/a/b/x"));
  HOLDS(!may(right::read, "/srv/a/c"));
  HOLDS(may(right::write, "/srv/x/y"));
  HOLDS(!may(right::create, "/srv/new"));
  HOLDS(!may(right::list, "/srv"));
  HOLDS(may(right::run, "/usr/bin/cc"));
  HOLDS(!may(right::read, "/etc"));
  constexpr auto two =
      landlock::compile(policy_of<small>({can_write("/s"), can_read("/s/a/b"), hidden("/s/key")}), {7});
  HOLDS(landlock::permits(two.rules, right::list, "/s/a"));
  HOLDS(!landlock::permits(two.rules, right::list, "/s"));
  HOLDS(!landlock::permits(two.rules, right::write, "/s/a"));
}

TEST_CASE("landlock: creating and removing needs the right at the parent directory") {
  HOLDS(!may(right::remove, "/srv/x"));
  HOLDS(may(right::remove, "/srv/x/y/z"));
  HOLDS(!may(right::create, "/"));
  HOLDS(!may(right::remove, "/"));
  HOLDS(!may(right::remove, "/srv"));
}

TEST_CASE("landlock: a right that an ABI lacks is a gap") {
  HOLDS(gaps_of(p, 7).has("landlock.attributes"));
  HOLDS(gaps_of(p, 10).has("landlock.existence"));
  HOLDS(gaps_of(p, 8).has("landlock.connect"));
  HOLDS(!gaps_of(p, 9).has("landlock.connect"));
  HOLDS(gaps_of(p, 5).has("landlock.signal") && gaps_of(p, 5).has("landlock.abstract"));
  HOLDS(!gaps_of(p, 6).has("landlock.signal") && !gaps_of(p, 6).has("landlock.abstract"));
  HOLDS(gaps_of(p, 4).has("landlock.ioctl"));
  HOLDS(!gaps_of(p, 5).has("landlock.ioctl"));
  HOLDS(gaps_of(p, 2).has("landlock.truncate"));
  HOLDS(!gaps_of(p, 3).has("landlock.truncate"));
  HOLDS(gaps_of(p, 1).has("landlock.refer"));
  HOLDS(!gaps_of(p, 2).has("landlock.refer"));
  HOLDS(!gaps_of(unconfined<small>(widening::all_axes{}), 1).any_unenforced());
}

TEST_CASE("landlock: gaps have the paths where rules and policy differ") {
  HOLDS(made.gaps.has("landlock.siblings", "/srv"));
  HOLDS(made.gaps.has("landlock.siblings", "/srv/a"));
  HOLDS(!made.gaps.has("landlock.siblings", "/srv/x"));
  HOLDS(gaps_of(policy_of<small>({grant("/x", right::run)}), 7).has("landlock.run_without_read", "/x"));
  HOLDS(gaps_of(policy_of<small>({grant("/x", right::create)}), 7).has("landlock.create_without_write", "/x"));
  HOLDS(!gaps_of(p, 7).has("landlock.run_without_read", "/usr"));
}

TEST_CASE("landlock: a kernel without Landlock is a gap if the policy accepts it, else an error") {
  constexpr auto missing = [] {
    small accepting = p;
    accepting.fallback = fallback::warn;
    return landlock::compile(accepting, {0});
  }();
  HOLDS(missing.error.code == diagnostic_code::ok && missing.gaps.has("landlock.missing") &&
        missing.gaps.any_unenforced());
  HOLDS(landlock::permits(missing.rules, right::write, "/etc"));
  constexpr auto refused = [](auto edit) {
    small strict = p;
    edit(strict);
    return landlock::compile(strict, {0}).error.code;
  };
  HOLDS(refused([](small& s) { s.profile = profile::os_hardened; }) == diagnostic_code::target_refused);
  HOLDS(refused([](small& s) { s.fallback = fallback::enforce; }) == diagnostic_code::target_refused);
  HOLDS(refused([](small&) {}) == diagnostic_code::target_refused);
  HOLDS(refused([](small& s) { s.fallback = fallback::off; }) == diagnostic_code::ok);
}

TEST_CASE("landlock: rules that do not fit their storage are an error") {
  constexpr auto crowded = policy_of<basic_policy<fixed_storage<7, 56>>>({can_read("/a"), hidden("/a/b")});
  HOLDS(landlock::compile(crowded, {7}).error.code == diagnostic_code::policy_too_large);
}

TEST_CASE("landlock: plans of sample policies") {
  for (const samples::sample& s : samples::all) {
    std::string text;
    for (const int abi : {1, 7, 10}) text += landlock_text::text(landlock::compile(s.policy, {abi})) + "\n";
    CAPTURE(s.name);
    CHECK(golden::matches("landlock/" + std::string(s.name) + ".txt", text));
  }
}

} // namespace backend_landlock_test
