// SPDX-License-Identifier: BSL-1.0
#include "end_signals.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace cordon::macos_shim {
namespace {

volatile std::sig_atomic_t signal_pipe = -1; ///< the write end; -1: none
constexpr int asking[]{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

void on_signal(int number) {
  const int error = errno;
  const char byte = static_cast<char>(number);
  (void)!::write(signal_pipe, &byte, 1);
  errno = error;
}

} // namespace

end_signals::end_signals(int to) {
  signal_pipe = to;
  for (const int number : asking) {
    struct sigaction ours {
    }, before{};
    ours.sa_handler = on_signal;
    ::sigaction(number, nullptr, &before);
    before_.push_back(before);
    if (before.sa_handler != SIG_IGN) ::sigaction(number, &ours, nullptr);
  }
}

end_signals::~end_signals() {
  for (std::size_t i = 0; i < before_.size(); ++i) ::sigaction(asking[i], &before_[i], nullptr);
  signal_pipe = -1;
}

} // namespace cordon::macos_shim
