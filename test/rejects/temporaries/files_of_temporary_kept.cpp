// prints: lookup
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

using namespace cordon::dsl;

// A step function of a temporary policy answers in its own expression alone.
bool is_readable(std::string_view place) {
  const cordon::policy p = cordon::policy_of({can_read("/srv")});
#ifdef CONTROL
  const auto files = p.files();
#else
  const auto files = (p & p).files();
#endif
  return files.lookup(place) != 0;
}
