// prints: deleted
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

// The iterator ends with the temporary limits.
cordon::limits least(const cordon::limits& a, const cordon::limits& b);
std::uint64_t first(const cordon::limits& a, const cordon::limits& b) {
#ifdef CONTROL
  const cordon::limits both = least(a, b);
  const auto at = both.begin();
#else
  const auto at = least(a, b).begin();
#endif
  return (*at).value;
}
