// prints: deleted
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>
#include <cordon/query/explain.hpp>

using namespace cordon::dsl;

// The clause of a verdict lies in the policy.
std::string_view denied() {
  static constexpr cordon::policy p = cordon::policy_of({cannot_call("bpf")});
#ifdef CONTROL
  return cordon::may_call(p, "bpf").clause.place;
#else
  return cordon::may_call(p & p, "bpf").clause.place;
#endif
}
