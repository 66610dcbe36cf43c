// prints: deleted
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

using namespace cordon::dsl;

// The view ends with the temporary policy.
bool has_hosts() {
  const cordon::policy p = cordon::policy_of({can_connect("example.org")});
#ifdef CONTROL
  const auto hosts = p.hosts();
#else
  const auto hosts = (p & p).hosts();
#endif
  return !hosts.is_none();
}
