// SPDX-License-Identifier: BSL-1.0
#include "held_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace cordon::shim {

held_streams::held_streams() noexcept {
  // The lowest number that is free is given (open(2)): those below are open by then.
  for (int fd = 0; fd < 3; ++fd)
    if (::fcntl(fd, F_GETFD) < 0)
      held_[static_cast<std::size_t>(fd)] = ::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) == fd;
}

held_streams::~held_streams() {
  for (int fd = 0; fd < 3; ++fd)
    if (held_[static_cast<std::size_t>(fd)]) ::close(fd);
}

} // namespace cordon::shim
