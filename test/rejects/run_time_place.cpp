// prints: is not a constant expression
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

// A place that is only known when the program runs has no compiler to check it.
cordon::clause at(std::string_view place) {
#ifdef CONTROL
  return {cordon::axis_id::files, {place, cordon::verb::read.bits(), {}}, {}};
#else
  return cordon::dsl::can_read(place);
#endif
}
