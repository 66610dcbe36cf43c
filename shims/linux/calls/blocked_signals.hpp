// SPDX-License-Identifier: BSL-1.0
/// All signals blocked in the calling thread.
#pragma once

#include <csignal>

namespace cordon::linux_shim {

/// Threads that are started meanwhile keep them blocked.
class blocked_signals {
public:
  blocked_signals() {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  blocked_signals(const blocked_signals&) = delete;
  blocked_signals& operator=(const blocked_signals&) = delete;
  ~blocked_signals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

private:
  sigset_t before_{};
};

} // namespace cordon::linux_shim
