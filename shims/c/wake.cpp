// SPDX-License-Identifier: BSL-1.0
#include "wake.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

namespace cordon::c {

void wake::call() noexcept {
  if (called_.exchange(true)) return; // one byte suffices, and never fills the pipe
  const int before = errno;
  (void)!::write(ends_.to.get(), "", 1);
  errno = before;
}

void wake::wait(const process_run& run, std::uint32_t milliseconds) const {
  pollfd both[]{{run.descriptor(), POLLIN, 0}, {ends_.from.get(), POLLIN, 0}};
  const bool for_ever = milliseconds == ~std::uint32_t{0};
  (void)::poll(both, called_ ? 1 : 2, for_ever ? -1 : static_cast<int>(std::min<std::uint32_t>(milliseconds, INT_MAX)));
}

} // namespace cordon::c
