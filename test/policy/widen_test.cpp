// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon.hpp>

namespace policy_widen_test {

using namespace cordon;
using namespace cordon::dsl;

namespace {

using small = basic_policy<fixed_storage<32, 512>>;

constexpr small start = policy_of<small>({can_run("/usr"), can_read("/srv"), hidden("/srv/key")});
constexpr small more = widen(start, widening::files{}, "/srv", verb::write);

template <class P> constexpr bool can_join = requires(P a, P b) { a | b; };
template <class P> constexpr bool can_meet = requires(P a, P b) { a& b; };

} // namespace

TEST_CASE("widen: there is no join") {
  HOLDS(can_meet<small>);
  HOLDS(!can_join<small>);
}

TEST_CASE("widen: unconfined is any on every axis, and the identity of meet") {
  constexpr small top = unconfined<small>(widening::all_axes{});
  HOLDS(top.is_any<axis_id::capabilities>() && top.is_any<axis_id::workspace>() && top.is_any<axis_id::files>());
  HOLDS(top.is_any<axis_id::hosts>() && top.is_any<axis_id::sockets>() && top.is_any<axis_id::calls>());
  HOLDS(top.is_any<axis_id::environment>() && top.is_any<axis_id::executables>());
  HOLDS((top & start) == start);
  HOLDS((start & top) == start);
  HOLDS(start <= top);
  HOLDS(!(top <= start));
  HOLDS(top.profile == profile::unrestricted && top.fallback == fallback::off && top.level == level::network);
  HOLDS(!top.limits.has(limit::timeout));
}

TEST_CASE("widen: the meet with nothing is nothing") {
  constexpr small bottom = nothing<small>();
  HOLDS((bottom & start) == bottom);
  HOLDS((start & bottom) == bottom);
  HOLDS(bottom <= start);
  HOLDS(!(start <= bottom));
  HOLDS(bottom <= small{});
}

TEST_CASE("widen: a grant on the files axis adds rights at its path and below") {
  HOLDS(more.files().lookup("/srv/a") == verb::write.bits());
  HOLDS(start <= more);
  HOLDS(!(more <= start));
  HOLDS(more.workspace() == start.workspace());
  HOLDS(more.files().lookup("/usr") == verb::run.bits());
  HOLDS(more.plain() == start.plain());
  HOLDS(more.executables() == start.executables());
}

TEST_CASE("widen: paths below with an entry of their own keep their rights") {
  HOLDS(more.files().lookup("/srv/key") == 0);
  HOLDS(widen(start, widening::files{}, "/", verb::read).files().lookup("/srv/key") == 0);
}

TEST_CASE("widen: existing rights stay, also at a new path inside a grant") {
  constexpr small p = widen(start, widening::files{}, "/usr/local", right::write);
  HOLDS(p.files().lookup("/usr/local") == (verb::run | right::write).bits());
  HOLDS(p.files().lookup("/usr") == verb::run.bits());
}

TEST_CASE("widen: the workspace axis by itself") {
  constexpr small p = widen(start, widening::workspace{}, "/new", verb::read);
  HOLDS(p.workspace().lookup("/new/a") == verb::read.bits());
  HOLDS(p.files() == start.files());
}

TEST_CASE("widen: level and limits") {
  HOLDS(widen(start, widening::level{}, level::network).level == level::network);
  HOLDS(widen(start, widening::limits{}, limit::memory, 7).limits[limit::memory] == 7);
  HOLDS(widen(start, widening::limits{}, limit::memory, 7).limits[limit::cpu] == limits::unlimited);
}

TEST_CASE("widen: try_widen returns the policy or the error") {
  constexpr policy from = policy_of({cordon::dsl::can_read("/a")});
  HOLDS(*try_widen(from, widening::files{}, "/b", right::read) == widen(from, widening::files{}, "/b", right::read));
  HOLDS(*try_widen(from, widening::workspace{}, "/b", right::read) ==
        widen(from, widening::workspace{}, "/b", right::read));
  HOLDS(try_widen(from, widening::files{}, "b", right::read).error() ==
        diagnostic{diagnostic_code::bad_path, 0, 0, "b"});
  HOLDS(try_widen(from, widening::limits{}, limit::memory, 0).error().code == diagnostic_code::bad_limit);
  HOLDS(try_widen(from, widening::limits{}, limit::memory, 7)->limits[limit::memory] == 7);
  using tiny = basic_policy<fixed_storage<4, 64>>;
  constexpr tiny full = policy_of<tiny>({cordon::dsl::can_read("/a")});
  HOLDS(try_widen(full, widening::files{}, "/b", right::read).error().code == diagnostic_code::policy_too_large);
}

} // namespace policy_widen_test
