// prints: step_function_of_temporary
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

using namespace cordon::dsl;

// The text of an entry lies in the policy.
std::string_view first_place() {
#ifdef CONTROL
  static constexpr cordon::policy p = cordon::policy_of({can_read("/srv")});
  return p.files()[0].place;
#else
  return cordon::policy_of({can_read("/srv")}).files()[0].place;
#endif
}
