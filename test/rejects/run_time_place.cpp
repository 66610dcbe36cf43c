// prints: is not a constant expression
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

// The compiler cannot check a path that is known only at run time.
cordon::clause at(std::string_view place) {
#ifdef CONTROL
  return {cordon::axis_id::files, {place, cordon::verb::read.bits(), {}}, {}};
#else
  return cordon::dsl::can_read(place);
#endif
}
