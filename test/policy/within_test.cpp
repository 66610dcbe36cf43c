// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon.hpp>

#include <algorithm>
#include <sstream>
#include <string>

namespace policy_within_test {

using namespace cordon;
using namespace cordon::dsl;

namespace {

using small = basic_policy<fixed_storage<32, 512>>;

constexpr small ceiling = policy_of<small>({can_run("/usr"), can_write("/srv/app"), hidden("/srv/app/.git")});
constexpr small inside = policy_of<small>({can_run("/usr/bin"), can_read("/srv/app"), hidden("/srv/app/.git")});

/// The excesses, one a line, as `axis place granted ceiling`.
std::string excesses(const small& child, const small& limit) {
  std::ostringstream out;
  const std::size_t count = excess(child, limit, [&](violation e) {
    out << name(e.axis) << ' ' << (e.axis == axis::hosts ? host::text_of_place(e.place).view() : e.place) << ' '
        << e.granted << ' ' << e.ceiling << '\n';
  });
  const std::string text = out.str();
  CHECK(count == static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')));
  CHECK((count == 0) == (child <= limit));
  return text;
}

/// The place of the violation that the compiler's message has.
template <class A, class B> constexpr auto text_of_first(const A& child, const B& limit) {
  return cordon::detail::find_excess(child, limit).text;
}
small with(auto edit) {
  small p = ceiling;
  edit(p);
  return p;
}

} // namespace

TEST_CASE("within: no excess within the ceiling") {
  CHECK(excesses(inside, ceiling).empty());
  CHECK(excesses(ceiling, ceiling).empty());
  HOLDS(within<inside, ceiling>());
}

TEST_CASE("within: an excess of rights has its path as the witness") {
  const small child = policy_of<small>({can_write("/srv"), can_read("/srv/app/.git")});
  CHECK(excesses(child, ceiling) == "workspace /srv 127 0\nworkspace /srv/app/.git 3 0\n"
                                    "files /srv 127 0\nfiles /srv/app/.git 3 0\n");
}

TEST_CASE("within: a grant of a path that the ceiling hides is an excess") {
  const small child = policy_of<small>({can_read("/srv/app")});
  CHECK(excesses(child, ceiling) == "workspace /srv/app/.git 3 0\nfiles /srv/app/.git 3 0\n");
}

TEST_CASE("within: an excess on each plain axis is reported") {
  CHECK(excesses(with([](small& p) { p.profile = profile::unrestricted; }), ceiling) == "profile  0 1\n");
  CHECK(excesses(with([](small& p) { p.level = level::network; }), ceiling) == "level  4 3\n");
  CHECK(excesses(with([](small& p) { p.fallback = fallback::off; }), ceiling) == "fallback  0 2\n");
  CHECK(excesses(with([](small& p) { p.abilities = ability::mount; }), ceiling) == "abilities  4 0\n");
  CHECK(excesses(ceiling, with([](small& p) { p.syscalls = syscalls::strict; })) == "syscalls  0 1\n");
  CHECK(excesses(ceiling, with([](small& p) { p.interpreters = false; })) == "guard  1 0\n");
  CHECK(excesses(ceiling, with([](small& p) { p.limits.set(limit::cpu, 9); })) ==
        "limits cpu 18446744073709551615 9\n");
}

TEST_CASE("within: an excess on each step axis is reported under the name of its axis") {
  const small top = unconfined<small>(widening::all_axes{});
  small bottom = nothing<small>();
  bottom.plain() = top.plain();
  CHECK(excesses(top, bottom) == "capabilities * 1 0\nworkspace / 255 0\nfiles / 255 0\nhosts * 1 0\nhosts 0.0.0.0/0 1 "
                                 "0\nhosts [::]/0 1 0\nsockets * 1 0\n"
                                 "syscalls * 1 0\nenvironment * 1 0\nguard * 1 0\n");
}

TEST_CASE("within: the compiler's message has an excess of the files before any other") {
  constexpr auto e =
      cordon::detail::find_excess(policy_of<small>({can_write("/srv"), can_connect("*"), passes("PATH")}), ceiling);
  HOLDS(e.found && e.axis == axis::files && e.text.view() == "/srv");
  HOLDS(rights::from_bits(static_cast<std::uint32_t>(e.granted & ~e.ceiling)) == verb::write);
  HOLDS(!cordon::detail::find_excess(inside, ceiling).found);
  constexpr auto host = cordon::detail::find_excess(policy_of<small>({can_connect("a.org")}), ceiling);
  HOLDS(host.axis == axis::hosts); // the level exceeds the ceiling too, which says less
  HOLDS(host.text.view() == "a.org");
  constexpr auto level =
      cordon::detail::find_excess(widen(ceiling, widening::level{}, cordon::level::network), ceiling);
  HOLDS(level.axis == axis::level && level.text.empty());
}

TEST_CASE("within: the compiler's message has hosts and ports as patterns") {
  constexpr small open = policy_of<small>({can_connect("a.org:443"), can_connect("=b.org"), can_listen("8080")});
  HOLDS(text_of_first(policy_of<small>({can_connect("a.org:400-500")}), open).view() == "a.org:400-442");
  HOLDS(text_of_first(policy_of<small>({can_connect("b.org")}), open).view() == "*.b.org");
  HOLDS(text_of_first(policy_of<small>({can_connect("=c.org:80")}), open).view() == "=c.org:80");
  HOLDS(text_of_first(policy_of<small>({can_connect("*:80")}), open).view() == "*:80");
  HOLDS(text_of_first(policy_of<small>({can_connect("10.0.0.0/8:22")}), open).view() == "10.0.0.0/8:22");
  HOLDS(text_of_first(policy_of<small>({can_connect("[2001:db8::1]")}), open).view() == "[2001:db8::1]");
  HOLDS(text_of_first(open, policy_of<small>({can_connect("*"), cannot_connect("a.org:443"), can_listen("8080")}))
            .view() == "a.org:443");
  HOLDS(text_of_first(policy_of<small>({can_listen("8000-8999")}), open).view() == "listen 8000-8079");
  HOLDS(text_of_first(policy_of<small>({can_listen("8080-8081")}), open).view() == "listen 8081");
}

TEST_CASE("within: the compiler's message has the limit and the number, or says that there is none") {
  constexpr auto bounded = [](std::uint64_t bytes) {
    small p = ceiling;
    p.limits.set(limit::memory, bytes);
    return p;
  };
  constexpr auto less = cordon::detail::find_excess(bounded(9), bounded(8));
  HOLDS(less.axis == axis::limits && less.which == limit::memory && less.granted == 9 && less.text.empty());
  HOLDS(text_of_first(ceiling, bounded(8)).view() == "no limit");
  constexpr auto guard = [] {
    small p = ceiling;
    p.interpreters = false;
    return p;
  }();
  HOLDS(text_of_first(ceiling, guard).view() == "interpreters");
}

TEST_CASE("within: a message that is too long is cut") {
  const std::string deep = "/" + std::string(300, 'x');
  small child;
  CHECK(child.write<axis_id::files>([&](auto& out) { out.add({deep, 1, {}}); }).code == diagnostic_code::ok);
  child.plain() = ceiling.plain();
  const auto e = cordon::detail::find_excess(child, ceiling);
  CHECK(e.text.is_cut());
  CHECK(deep.starts_with(e.text.view()));
}

} // namespace policy_within_test
