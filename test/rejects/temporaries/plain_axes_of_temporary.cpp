// prints: deleted
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

using namespace cordon::dsl;

// The reference ends with the temporary policy.
cordon::level level_of() {
  const cordon::policy p = cordon::policy_of({can_read("/srv")});
#ifdef CONTROL
  const cordon::plain_axes& plain = p.plain();
#else
  const cordon::plain_axes& plain = (p & p).plain();
#endif
  return plain.level;
}
