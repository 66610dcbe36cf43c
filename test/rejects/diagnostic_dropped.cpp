// prints: ignoring return
// prints: nodiscard
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

#pragma GCC diagnostic error "-Wunused-result"

cordon::diagnostic_code code_of() {
  cordon::policy p;
#ifdef CONTROL
  return p.write_any<cordon::axis_id::hosts>().code;
#else
  p.write_any<cordon::axis_id::hosts>();
  return cordon::diagnostic_code::ok;
#endif
}
