// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon.hpp>
#include <cordon/policy/heap.hpp>

namespace policy_heap_test {

using namespace cordon;
using namespace cordon::dsl;

namespace {

constexpr policy original =
    policy_of({can_run("/usr"), can_write("/srv/job"), hidden("/srv/job/.git"), can_read("/srv/job/.git/HEAD")});

} // namespace

TEST_CASE("heap: entries keep the order in which they were added, each with its text") {
  heap h;
  CHECK(h.push("/a", "xy", 7));
  CHECK(h.push("/b", "", 9));
  CHECK(h.size() == 2);
  CHECK(std::string_view(h.text() + h.all_slots()[1].first, h.all_slots()[1].length) == "/b");
  CHECK(std::string_view(h.text(), 6) == "/axy/b");
  CHECK(h.all_slots()[0].value == 7);
  CHECK(h.all_slots()[1].parent == no_slot);
  h.truncate(1);
  CHECK(h.size() == 1);
}

TEST_CASE("heap: a policy that is copied to another storage and back is unchanged") {
  loaded_policy loaded;
  policy back;
  CHECK(copy(original, loaded).code == diagnostic_code::ok);
  CHECK(copy(loaded, back).code == diagnostic_code::ok);
  CHECK(back == original);
  CHECK(loaded.files().lookup("/srv/job/.git/HEAD") == verb::read.bits());
  CHECK(loaded.level == level::process_exec);
  CHECK(loaded.is_any<axis_id::calls>());
}

TEST_CASE("heap: a copy that does not fit is an error") {
  loaded_policy loaded;
  CHECK(copy(original, loaded).code == diagnostic_code::ok);
  basic_policy<fixed_storage<4, 1024>> small;
  CHECK(copy(loaded, small).code == diagnostic_code::policy_too_large);
}

TEST_CASE("heap: the meet and the order are those of constants") {
  loaded_policy loaded, ceiling;
  CHECK(copy(original, loaded).code == diagnostic_code::ok);
  CHECK(copy(policy_of({can_read("/usr/lib"), can_write("/")}), ceiling).code == diagnostic_code::ok);
  const loaded_policy met = loaded & ceiling;
  policy back;
  CHECK(copy(met, back).code == diagnostic_code::ok);
  CHECK(back == (original & policy_of({can_read("/usr/lib"), can_write("/")})));
  CHECK(met <= ceiling);
  CHECK(!(loaded <= ceiling));
}

TEST_CASE("heap: policies in two storages compare on every axis, not on the plain ones alone") {
  constexpr policy ceiling = policy_of({can_read("/srv")});
  constexpr policy wide = policy_of({can_write("/")});
  loaded_policy loaded;
  REQUIRE(copy(wide, loaded).code == diagnostic_code::ok);
  CHECK(!(loaded <= ceiling));
  CHECK(!(loaded == ceiling));
  CHECK(ceiling <= loaded);
  CHECK(loaded == wide);
  CHECK(wide == loaded);
  CHECK(loaded <= wide);
  CHECK(excess(loaded, ceiling, [](const violation&) {}) == excess(wide, ceiling, [](const violation&) {}));
  CHECK(excess(loaded, ceiling, [](const violation&) {}) > 0);
}

TEST_CASE("heap: the meet of policies in two storages has the larger storage, and is within both") {
  using small = basic_policy<fixed_storage<64, 2048>>;
  using wordy = basic_policy<fixed_storage<32, 4096>>;
  constexpr policy ceiling = policy_of({can_read("/srv"), can_run("/usr")});
  constexpr small a = policy_of<small>({can_write("/srv/a")});
  constexpr wordy b = policy_of<wordy>({can_run("/srv")});
  loaded_policy loaded;
  REQUIRE(copy(policy_of({can_write("/")}), loaded).code == diagnostic_code::ok);
  static_assert(std::is_same_v<decltype(loaded & ceiling), loaded_policy>);
  static_assert(std::is_same_v<decltype(ceiling & loaded), loaded_policy>);
  static_assert(std::is_same_v<decltype(a & b), basic_policy<fixed_storage<64, 4096>>>);
  CHECK((loaded & ceiling) == (ceiling & loaded));
  CHECK((loaded & ceiling) <= ceiling);
  CHECK((loaded & ceiling) <= loaded);
  CHECK((loaded & ceiling).files().lookup("/srv") == verb::read.bits());
  HOLDS((a & b).files().lookup("/srv/a") == verb::run.bits());
  HOLDS((a & b) <= a && (a & b) <= b && !(a <= b));
  basic_policy<fixed_storage<1, 8>> tiny;
  CHECK(meet(loaded, ceiling, tiny).code == diagnostic_code::policy_too_large);
}

TEST_CASE("heap: a copy as a value equals its original") {
  CHECK(*copy<loaded_policy>(original) == original);
  CHECK(copy<basic_policy<fixed_storage<4, 1024>>>(original).error().code == diagnostic_code::policy_too_large);
}

TEST_CASE("heap: a copy is written to a policy as default-constructed alone") {
  loaded_policy to = *copy<loaded_policy>(original);
  CHECK(!to.is_default());
  CHECK(copy(policy_of({can_read("/")}), to).code == diagnostic_code::not_empty);
  CHECK(to == original);
}

} // namespace policy_heap_test
