// SPDX-License-Identifier: BSL-1.0
#include "held_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace cordon::shim {

held_streams::held_streams() noexcept {
  // The lowest number that is free is given (open(2)): those below are open by then. The wrong end of a pipe, for a device
  // has a mode that whoever holds it may change.
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
