// SPDX-License-Identifier: BSL-1.0
/// The clock of limits on time.
#pragma once

#include <chrono>
#include <cstdint>

namespace cordon::shim {

inline constexpr std::uint64_t never = ~std::uint64_t{0};

/// Nanoseconds of a monotonic clock.
[[nodiscard]] inline std::uint64_t now() {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
          .count());
}

/// Returns: the end of a duration, at most just before `never`.
[[nodiscard]] constexpr std::uint64_t deadline_after(std::uint64_t start, std::uint64_t duration) {
  return duration < never - start ? start + duration : never - 1;
}

} // namespace cordon::shim
