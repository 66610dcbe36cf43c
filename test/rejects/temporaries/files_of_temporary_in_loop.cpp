// prints: begin
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

using namespace cordon::dsl;

// Before C++23 the policy ends before the first turn of the loop.
int count() {
  int n = 0;
#ifdef CONTROL
  const cordon::policy p = cordon::policy_of({can_read("/srv")});
  for (const cordon::entry e : p.files()) n += e.value != 0;
#else
  for (const cordon::entry e : cordon::policy_of({can_read("/srv")}).files()) n += e.value != 0;
#endif
  return n;
}
