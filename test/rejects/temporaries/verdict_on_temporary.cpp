// prints: deleted
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>
#include <cordon/query/query.hpp>

using namespace cordon::dsl;

// The clause of a verdict lies in the policy.
std::string_view deciding_place() {
  static constexpr cordon::policy p = cordon::policy_of({can_read("/srv")});
#ifdef CONTROL
  return cordon::process_may(p, cordon::right::read, "/srv/a").clause.place;
#else
  return cordon::process_may(p & p, cordon::right::read, "/srv/a").clause.place;
#endif
}
