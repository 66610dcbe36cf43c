// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon.hpp>

namespace policy_narrow_test {

using namespace cordon;
using namespace cordon::dsl;

namespace {

using small = basic_policy<fixed_storage<32, 512>>;

constexpr small whole = [] {
  small p = policy_of<small>({can_run("/"), can_write("/srv/job"), hidden("/srv/job/.git"), can_write("/srv/other")});
  p.limits.set(limit::memory, 5);
  p.abilities = ability::clock;
  return p;
}();
constexpr small cut = narrow(whole, "/srv/job");

} // namespace

TEST_CASE("narrow: both path axes allow nothing outside the root") {
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
  CHECK(narrow(whole, "srv", to).code == diagnostic_code::bad_path);
  CHECK(narrow(whole, "/srv/", to).code == diagnostic_code::bad_path);
  CHECK(narrow(whole, "", to).code == diagnostic_code::bad_path);
  using tight = basic_policy<fixed_storage<3, 9>>;
  tight p, q;
  CHECK(p.write<axis_id::files>([](auto& out) {
           out.add({"/", 1, {}}), out.add({"/c/a", 3, {}}), out.add({"/c/b", 7, {}});
         }).code == diagnostic_code::ok);
  CHECK(narrow(p, "/c", q).code == diagnostic_code::policy_too_large); // the text of /c is longer than that of /
  tight none;
  CHECK(narrow(p, "/d", none).code == diagnostic_code::ok); // what the meet drops needs no room
  CHECK(none.files().size() == 1);
}

TEST_CASE("narrow: try_narrow returns the policy or the error") {
  constexpr policy p = policy_of({cordon::dsl::can_read("/srv")});
  HOLDS(*try_narrow(p, "/srv/a") == narrow(p, "/srv/a"));
  HOLDS(try_narrow(p, "srv").error().code == diagnostic_code::bad_path);
  HOLDS(try_narrow(p, "srv").error().subject == "srv");
  policy to = p;
  CHECK(narrow(p, "/srv", to).code == diagnostic_code::not_empty);
}

} // namespace policy_narrow_test
