// SPDX-License-Identifier: BSL-1.0
/// Waits for one descriptor.
#pragma once

#include <poll.h>

#include <algorithm>
#include <climits>
#include <cstdint>

namespace cordon::shim {

/// Waits at most for `milliseconds`; the maximum value: without limit. Returns: false if the time is over.
[[nodiscard]] inline bool wait_readable(int fd, std::uint32_t milliseconds) {
  pollfd event{fd, POLLIN, 0};
  const bool for_ever = milliseconds == ~std::uint32_t{0};
  const int limit = for_ever ? -1 : static_cast<int>(std::min<std::uint32_t>(milliseconds, INT_MAX));
  return ::poll(&event, 1, limit) != 0;
}

} // namespace cordon::shim
