// SPDX-License-Identifier: BSL-1.0
#include "pipe.hpp"

#include <cordon/run/reasons.hpp>
#include <cordon/run/refused.hpp>

#include <fcntl.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace cordon::shim {

int open_pipe(pipe_ends& ends) {
  int fds[2];
#ifdef __APPLE__ // it has no pipe2(2)
  if (::pipe(fds) != 0) return errno;
  for (const int fd : fds) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
#else
  if (::pipe2(fds, O_CLOEXEC) != 0) return errno;
#endif
  ends = {descriptor(fds[0]), descriptor(fds[1])};
  return 0;
}

pipe_ends make_pipe() {
  pipe_ends ends;
  if (const int error = open_pipe(ends)) throw refused::because<reasons::no_pipe>(std::strerror(error));
  return ends;
}

} // namespace cordon::shim
