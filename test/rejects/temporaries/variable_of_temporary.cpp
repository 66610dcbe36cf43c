// prints: deleted
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>
#include <cordon/query/query.hpp>

using namespace cordon::dsl;

// The content of a variable lies in the policy.
std::string_view content() {
  static constexpr cordon::policy p = cordon::policy_of({sets("A", "x")});
#ifdef CONTROL
  return cordon::has_variable(p, "A").clause.payload;
#else
  return cordon::has_variable(p & p, "A").clause.payload;
#endif
}
