// SPDX-License-Identifier: BSL-1.0
#include "held_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace cordon::shim {

held_streams::held_streams() noexcept {
  // open(2) returns the lowest free number, and all lower ones are open by now. Opens the wrong end of a pipe, not a
  // device: a process that holds a device may change its mode.
  for (int fd = 0; fd < 3; ++fd) {
    int ends[2];
    if (::fcntl(fd, F_GETFD) >= 0 || ::pipe(ends) != 0) continue;
    if (fd == STDIN_FILENO) ::dup2(ends[1], fd);
    ::close(ends[1]);
    held_[static_cast<std::size_t>(fd)] = true;
  }
}

held_streams::~held_streams() {
  for (int fd = 0; fd < 3; ++fd)
    if (held_[static_cast<std::size_t>(fd)]) ::close(fd);
}

} // namespace cordon::shim
