// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon.hpp>

#include <algorithm>
#include <sstream>
#include <string>

using namespace cordon;
using namespace cordon::dsl;

namespace {

using small = basic_policy<fixed<32, 512>>;

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

constexpr std::string_view first_of(const cordon::detail::first_excess& e) { return {e.text, e.size}; }

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

TEST_CASE("within: an excess of rights has the place as its witness") {
  const small child = policy_of<small>({can_write("/srv"), can_read("/srv/app/.git")});
  CHECK(excesses(child, ceiling) == "workspace /srv 127 0\nworkspace /srv/app/.git 3 0\n"
                                    "files /srv 127 0\nfiles /srv/app/.git 3 0\n");
}

TEST_CASE("within: what the ceiling hides inside a grant of the child is an excess") {
  const small child = policy_of<small>({can_read("/srv/app")});
  CHECK(excesses(child, ceiling) == "workspace /srv/app/.git 3 0\nfiles /srv/app/.git 3 0\n");
}

TEST_CASE("within: each plain axis is told") {
  CHECK(excesses(with([](small& p) { p.profile = profile::unrestricted; }), ceiling) == "profile  0 1\n");
  CHECK(excesses(with([](small& p) { p.level = level::network; }), ceiling) == "level  4 3\n");
  CHECK(excesses(with([](small& p) { p.fallback = fallback::off; }), ceiling) == "fallback  0 2\n");
  CHECK(excesses(with([](small& p) { p.abilities = ability::mount; }), ceiling) == "abilities  4 0\n");
  CHECK(excesses(ceiling, with([](small& p) { p.syscalls = syscalls::strict; })) == "syscalls  0 1\n");
  CHECK(excesses(ceiling, with([](small& p) { p.interpreters = false; })) == "guard  1 0\n");
  CHECK(excesses(ceiling, with([](small& p) { p.limits.set(limit::cpu, 9); })) ==
        "limits cpu 18446744073709551615 9\n");
}

TEST_CASE("within: each part is told under the name of its axis") {
  const small top = unconfined<small>(widening::all_axes{});
  small bottom = nothing<small>();
  bottom.plain() = top.plain();
  CHECK(excesses(top, bottom) == "capabilities * 1 0\nworkspace / 255 0\nfiles / 255 0\nhosts * 1 0\nhosts 0.0.0.0/0 1 "
                                 "0\nhosts [::]/0 1 0\nsockets * 1 0\n"
                                 "syscalls * 1 0\nenvironment * 1 0\nguard * 1 0\n");
}

TEST_CASE("within: the compiler is told the first excess in words") {
  constexpr auto e = cordon::detail::find_excess(policy_of<small>({can_write("/srv"), can_read("/x")}), ceiling);
  HOLDS(first_of(e) == "workspace /srv read list run write create remove attributes");
  HOLDS(cordon::detail::find_excess(inside, ceiling).size == 0);
  constexpr auto only_write = cordon::detail::find_excess(policy_of<small>({can_write("/usr")}), ceiling);
  HOLDS(first_of(only_write) == "workspace /usr write create remove attributes");
}

TEST_CASE("within: words that are too long are cut") {
  const std::string deep = "/" + std::string(300, 'x');
  small child;
  CHECK(child.write<axis_id::files>([&](auto& out) { out.add({deep, 1, {}}); }).code == errc::ok);
  child.plain() = ceiling.plain();
  const auto e = cordon::detail::find_excess(child, ceiling);
  CHECK(first_of(e) == ("files " + deep).substr(0, 160));
}
