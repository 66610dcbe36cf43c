// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/backend/landlock/rules.hpp>
#include <cordon/backend/unveil/rules.hpp>
#include <cordon/guard/argument_path.hpp>
#include <cordon/policy/default_devices.hpp>
#include <cordon/query/query.hpp>

#include <algorithm>
#include <string>

namespace policy_default_devices_test {

using namespace cordon;

TEST_CASE("default devices: the machine's come first and are those with rights, and only /dev/null can be written") {
  for (std::size_t i = 0; i < default_devices.size(); ++i) {
    const default_device& d = default_devices[i];
    CAPTURE(std::string(d.place));
    CHECK(d.allowed.empty() == (i >= machine_devices.size()));
    CHECK(d.allowed <= d.allowed_in_view);
    CHECK(d.allowed_in_view <= (right::read | right::write));
    CHECK(d.allowed.has(right::write) == (d.place == "/dev/null"));
  }
}

TEST_CASE("default devices: queries, guards and rules give each device the rights of the table") {
  constexpr policy none = [] {
    policy p;
    p.level = level::process_exec;
    (void)p.write<axis_id::capabilities>([](auto& out) { out.add({capability::exec, 1, {}}); });
    return p;
  }();
  for (const default_device& d : default_devices) {
    CAPTURE(std::string(d.place));
    const bool of_machine = !d.allowed.empty();
    const auto is_it = [&](const auto& row) { return row.place == d.place; };
    CHECK(guard::is_device(d.place) == of_machine);
    CHECK(std::any_of(landlock::default_places.begin(), landlock::default_places.end(), is_it) == of_machine);
    CHECK(std::any_of(unveil::default_places.begin(), unveil::default_places.end(), is_it) == of_machine);
    for (const auto& row : landlock::default_places)
      if (is_it(row)) CHECK(row.allowed == d.allowed);
    for (const auto& row : unveil::default_places)
      if (is_it(row)) CHECK(row.permissions == (d.allowed.has(right::write) ? unveil::R | unveil::W : unveil::R));
    for (const right r : {right::read, right::write, right::run, right::remove})
      CHECK(process_may(none, r, d.place).allowed() == d.allowed.has(r));
  }
  for (const std::string_view stream : standard_streams) CHECK(guard::is_device(stream));
  CHECK(!guard::is_device("/dev/stdin/a"));
}

} // namespace policy_default_devices_test
