// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon.hpp>

using namespace cordon;
using namespace cordon::dsl;

namespace {

using small = basic_policy<fixed<32, 512>>;

constexpr small whole = [] {
  small p = policy_of<small>({can_run("/"), can_write("/srv/job"), hidden("/srv/job/.git"), can_write("/srv/other")});
  p.limits.set(limit::memory, 5);
  p.abilities = ability::clock;
  return p;
}();
constexpr small cut = narrow(whole, "/srv/job");

} // namespace

TEST_CASE("narrow: nothing outside the root is left on either path axis") {
  HOLDS(cut.files().lookup("/srv/job/a") == verb::write.bits());
  HOLDS(cut.files().lookup("/srv/job/.git/x") == 0);
  HOLDS(cut.files().lookup("/srv/other") == 0);
  HOLDS(cut.files().lookup("/srv") == 0);
  HOLDS(cut.files().lookup("/") == 0);
  HOLDS(cut.workspace() == cut.files());
  HOLDS(narrow(whole, "/usr").files().lookup("/usr/bin") == verb::run.bits());
}

TEST_CASE("narrow: the other axes stay as they are") {
  HOLDS(cut.plain() == whole.plain());
  HOLDS(cut.capabilities() == whole.capabilities());
  HOLDS(cut.calls() == whole.calls());
  HOLDS(cut.executables() == whole.executables());
  HOLDS(cut.environment() == whole.environment());
}

TEST_CASE("narrow: the result is within the policy, and narrowing again changes nothing") {
  HOLDS(cut <= whole);
  HOLDS(!(whole <= cut));
  HOLDS(narrow(cut, "/srv/job") == cut);
  HOLDS(narrow(whole, "/") == whole);
  HOLDS(narrow(narrow(whole, "/srv"), "/usr").files().empty());
}

TEST_CASE("narrow: a root that is no normal path, or a result that does not fit, is refused") {
  small to;
  CHECK(narrow(whole, "srv", to).code == errc::bad_path);
  CHECK(narrow(whole, "/srv/", to).code == errc::bad_path);
  CHECK(narrow(whole, "", to).code == errc::bad_path);
  using tight = basic_policy<fixed<3, 64>>;
  tight p, q;
  CHECK(p.write<axis_id::files>([](auto& out) {
           out.add({"/", 1, {}}), out.add({"/a", 3, {}}), out.add({"/b", 7, {}});
         }).code == errc::ok);
  CHECK(narrow(p, "/c", q).code == errc::policy_too_large);
}
