// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon.hpp>

#include <type_traits>

namespace policy_policy_test {

using namespace cordon;
using namespace cordon::dsl;

namespace {

using small = basic_policy<fixed_storage<32, 512>>;

constexpr small of(std::initializer_list<clause> clauses) { return policy_of<small>(clauses); }
constexpr small with(plain_axes axes) {
  small p;
  p.plain() = axes;
  return p;
}

constexpr plain_axes least{profile::os_hardened, level::none, fallback::enforce, syscalls::strict, false, {},
                           limits::least()};
constexpr plain_axes most{
    profile::unrestricted, level::network, fallback::off, syscalls::inherit, true, abilities::any(), {}};

/// Is `less` strictly within `more`, and the meet of both?
constexpr bool is_below(const plain_axes& less, const plain_axes& more) {
  return less <= more && !(more <= less) && (less & more) == less && (more & less) == less;
}

/// `least` with one axis opened.
constexpr plain_axes opened(auto edit) {
  plain_axes a = least;
  edit(a);
  return a;
}

constexpr std::size_t parts_visited(std::size_t stop_at) {
  std::size_t count = 0;
  cordon::detail::each_part([&]<axis_id P>() {
    if (static_cast<std::size_t>(P) != count) count = 100;
    return ++count != stop_at;
  });
  return count;
}

constexpr diagnostic_code meet_in_four_slots() {
  using tiny = basic_policy<fixed_storage<4, 1024>>;
  tiny a, b, to;
  for (tiny* p : {&a, &b})
    (void)p->write<axis_id::files>([&](auto& out) {
      out.add({p == &a ? "/a" : "/b", 3, {}});
      out.add({p == &a ? "/a/b" : "/b/c", 1, {}});
      out.add({"/", 7, {}});
    });
  return meet(a, b, to).code;
}

} // namespace

TEST_CASE("policy: each mode of the system call axis has its name") {
  HOLDS(name(syscalls::inherit) == "inherit");
  HOLDS(name(syscalls::strict) == "strict");
}

TEST_CASE("policy: the axes are visited in order until the visitor returns false") {
  HOLDS(parts_visited(0) == part_count);
  HOLDS(parts_visited(3) == 3);
}

TEST_CASE("policy: everything on a path axis is all rights at the root") {
  HOLDS(everything<axis_id::files>().place == "/");
  HOLDS(everything<axis_id::workspace>().value == verb::everything.bits());
  HOLDS(everything<axis_id::hosts>().place == "**");
  HOLDS(everything<axis_id::environment>().value == variable::passes);
}

TEST_CASE("policy: each plain axis counts in the order and in the meet") {
  HOLDS(is_below(least, most));
  HOLDS(is_below(least, opened([](auto& a) { a.profile = profile::wasi; })));
  HOLDS(is_below(least, opened([](auto& a) { a.level = level::read_only; })));
  HOLDS(is_below(least, opened([](auto& a) { a.fallback = fallback::warn; })));
  HOLDS(is_below(least, opened([](auto& a) { a.syscalls = syscalls::inherit; })));
  HOLDS(is_below(least, opened([](auto& a) { a.interpreters = true; })));
  HOLDS(is_below(least, opened([](auto& a) { a.abilities = ability::trace; })));
  HOLDS(is_below(least, opened([](auto& a) { a.limits.set(limit::output, 2); })));
  HOLDS(is_below(opened([](auto& a) { a.abilities = ability::trace; }), most));
  HOLDS(!(with(opened([](auto& a) { a.level = level::network; })) <=
          with(opened([](auto& a) { a.profile = profile::unrestricted; }))));
}

TEST_CASE("policy: a default policy allows nothing on any step axis") {
  constexpr small p;
  HOLDS(p.files().empty() && p.workspace().empty() && p.capabilities().empty() && p.hosts().is_none());
  HOLDS(p.sockets().empty() && p.calls().empty() && p.environment().empty() && p.executables().empty());
  HOLDS(p.level == level::none);
  HOLDS(p.abilities.empty());
  HOLDS(!p.is_any<axis_id::files>());
}

TEST_CASE("policy: writing an axis does not change those written before") {
  constexpr small p = [] {
    small q;
    (void)q.write<axis_id::workspace>([](auto& out) { out.add({"/w", 3, {}}); });
    (void)q.write<axis_id::environment>([](auto& out) { out.add({"A", 1, {}}); });
    return q;
  }();
  HOLDS(p.capabilities().empty());
  HOLDS(p.workspace().lookup("/w/x") == 3);
  HOLDS(p.files().empty());
  HOLDS(p.environment().lookup("A") == 1);
  HOLDS(p.executables().empty());
}

TEST_CASE("policy: an axis is any if its one entry covers everything") {
  constexpr small p = [] {
    small q;
    (void)q.write_any<axis_id::files>();
    (void)q.write<axis_id::hosts>([](auto& out) { out.add({"**", 1, {}}), out.add({"x", 0, {}}); });
    return q;
  }();
  HOLDS(p.is_any<axis_id::files>());
  HOLDS(!p.is_any<axis_id::hosts>());
  HOLDS(!p.is_any<axis_id::sockets>());
  HOLDS(!of({can_write("/")}).is_any<axis_id::files>());
}

TEST_CASE("policy: files and workspace may share their entries or differ") {
  const auto with = [](std::uint32_t workspace, std::uint32_t files) {
    small q;
    (void)q.write<axis_id::workspace>([&](auto& out) { out.add({"/w", workspace, {}}); });
    (void)q.write<axis_id::files>([&](auto& out) { out.add({"/w", files, {}}); });
    return q;
  };
  small both;
  (void)both.write<axis_id::workspace>([](auto& out) { out.add({"/w", 3, {}}); });
  both.share_paths();
  CHECK(both.files().lookup("/w/x") == 3);
  CHECK((both == with(3, 3) && both <= with(3, 7) && !(both <= with(3, 1)) && !(with(3, 7) <= both)));
  CHECK((both != with(3, 1) && with(3, 1) <= both && both <= both));
}

TEST_CASE("policy: write returns an error if entries do not fit or repeat a path") {
  basic_policy<fixed_storage<1, 2>> p;
  CHECK(p.write<axis_id::files>([](auto& out) {
           out.add({"/a", 1, {}}), out.add({"/b", 1, {}});
         }).code == diagnostic_code::policy_too_large);
  CHECK(basic_policy<fixed_storage<1, 1>>().write_any<axis_id::hosts>().code == diagnostic_code::policy_too_large);
  small q;
  CHECK(q.write<axis_id::files>([](auto& out) {
           out.add({"/a", 1, {}}), out.add({"/a", 3, {}});
         }).code == diagnostic_code::duplicate_place);
}

TEST_CASE("policy: the meet of disjoint roots allows nothing, and stays empty under further meets") {
  constexpr small m = of({can_write("/a")}) & of({can_write("/b")});
  HOLDS(m.files().empty());
  HOLDS((m & of({can_write("/")})).files().empty());
  HOLDS(!m.is_any<axis_id::files>());
}

TEST_CASE("policy: the meet keeps nested entries of both sides") {
  constexpr small m =
      of({can_write("/repo"), can_read("/repo/.git")}) & of({can_write("/repo/x"), can_run("/repo/.git")});
  HOLDS(m.files().lookup("/repo/x/y") == verb::write.bits());
  HOLDS(m.files().lookup("/repo/.git") == verb::read.bits());
  HOLDS(m.files().lookup("/repo") == 0);
  HOLDS(m <= of({can_write("/repo")}));
}

TEST_CASE("policy: order and equality compare every axis") {
  constexpr small a = of({can_write("/a")});
  HOLDS(a == a);
  HOLDS(a <= a);
  HOLDS(a != of({can_run("/a")}));
  HOLDS(of({can_run("/a")}) <= a);
  HOLDS(!(a <= of({can_run("/a")})));
  constexpr small b = [] {
    small p = of({can_write("/a")});
    p.limits.set(limit::cpu, 1);
    return p;
  }();
  HOLDS(a != b);
  HOLDS(b <= a);
  HOLDS(!(a <= b));
}

TEST_CASE("policy: a meet that does not fit is an error") {
  HOLDS(meet_in_four_slots() == diagnostic_code::policy_too_large);
}

TEST_CASE("policy: a constant is flat, and small enough for a stack") {
  HOLDS(std::is_trivially_copyable_v<policy>);
  HOLDS(std::is_trivially_destructible_v<policy>);
  HOLDS(sizeof(policy) <= 32 * 1024);
}

namespace {

constexpr diagnostic_code meet_into(policy to) {
  const policy all = policy_of({cordon::dsl::can_read("/a")});
  return meet(all, all, to).code;
}

constexpr policy with_level(level l) {
  policy p;
  p.level = l;
  return p;
}

} // namespace

TEST_CASE("policy: the meet as a value is that of the operator") {
  constexpr policy a = policy_of({cordon::dsl::can_read("/a"), cordon::dsl::can_write("/b")});
  constexpr policy b = policy_of({cordon::dsl::can_read("/")});
  HOLDS(*meet(a, b) == (a & b));
  using tiny = basic_policy<fixed_storage<5, 1024>>;
  constexpr tiny x = policy_of<tiny>({cordon::dsl::can_read("/"), cordon::dsl::hidden("/a")});
  constexpr tiny y = policy_of<tiny>({cordon::dsl::can_read("/"), cordon::dsl::hidden("/b")});
  HOLDS(meet(x, y).error().code == diagnostic_code::policy_too_large);
}

TEST_CASE("policy: a meet is written to a policy as default-constructed alone") {
  HOLDS(policy().is_default());
  HOLDS(!policy_of({}).is_default());
  HOLDS(meet_into({}) == diagnostic_code::ok);
  HOLDS(meet_into(policy_of({})) == diagnostic_code::not_empty);
  HOLDS(meet_into(with_level(level::read_only)) == diagnostic_code::not_empty);
}

} // namespace policy_policy_test
