// prints: deleted
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>
#include <cordon/backend/unveil.hpp>

// The text of a gap lies in the plan, which ends with the statement.
std::string_view first_gap(const cordon::policy& p) {
#ifdef CONTROL
  static cordon::plan<cordon::unveil::rules<cordon::policy::storage>> made;
  made = cordon::unveil::compile(p);
  return made.gaps[0].what;
#else
  return cordon::unveil::compile(p).gaps[0].what;
#endif
}
