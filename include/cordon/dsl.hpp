// SPDX-License-Identifier: BSL-1.0
/// Policies written in C++: `constexpr policy p = {can_run("/usr"), can_write("/srv/app"), hidden("/srv/app/.git")};`
/// A clause says what is allowed; the order does not count; a place given twice, or a path that is not absolute and
/// normal, stops the build. What no clause names is not allowed.
#pragma once

#include "policy.hpp"

#include <initializer_list>

namespace cordon {

/// A line of a policy: rights at a path.
struct clause {
  std::string_view place{};
  cordon::rights rights{};
};

namespace dsl {

consteval clause grant(std::string_view place, rights r) {
  if (!path::is_normal(place)) cordon::detail::a_path_must_be_absolute_and_in_normal_form();
  return {place, r};
}
consteval clause can_read(std::string_view place) { return grant(place, verb::read); }
consteval clause can_run(std::string_view place) { return grant(place, verb::run); }
consteval clause can_write(std::string_view place) { return grant(place, verb::write); }
consteval clause hidden(std::string_view place) { return grant(place, verb::hide); }

} // namespace dsl

/// The policy of these clauses: processes may be started, and may touch what the clauses say, as may the host's own
/// tools; no network, no abilities, an empty environment.
template <class Policy = policy> [[nodiscard]] constexpr Policy policy_of(std::initializer_list<clause> clauses) {
  Policy p;
  p.level = level::process_exec;
  p.interpreters = true;
  const auto fill = [&](auto& out) {
    for (const clause& c : clauses) out.add({c.place, c.rights.bits(), {}});
  };
  const auto check = [](diagnostic d) {
    if (d.code == errc::duplicate_place) detail::a_place_is_granted_twice();
    if (d.code != errc::ok) detail::this_policy_holds_more_than_its_storage();
  };
  check(p.template write_any<part::capabilities>());
  check(p.template write<part::workspace>(fill));
  check(p.template write<part::files>(fill));
  check(p.template write_any<part::calls>());
  check(p.template write_any<part::executables>());
  return p;
}

} // namespace cordon
