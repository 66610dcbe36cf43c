// SPDX-License-Identifier: BSL-1.0
#include "callers_socket.hpp"

#include "../child/raw_syscall.hpp"
#include "../child/read_file.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstdlib>
#include <string>

namespace cordon::linux_shim {
namespace {

/// Returns: the process of a thread, in this process's pid namespace; 0: it has ended.
[[nodiscard]] int process_of(std::uint32_t thread) {
  const std::string status = read_file("/proc/" + std::to_string(thread) + "/status");
  const std::size_t at = status.find("\nTgid:");
  return at == status.npos ? 0 : std::atoi(status.c_str() + at + 6);
}

/// Returns: a descriptor of the thread (Linux 6.9), or else of its process.
[[nodiscard]] descriptor pidfd_of(std::uint32_t thread) {
  constexpr unsigned of_thread = O_EXCL; // PIDFD_THREAD
  if (descriptor fd(static_cast<int>(raw_syscall(SYS_pidfd_open, thread, of_thread))); fd) return fd;
  return descriptor(static_cast<int>(raw_syscall(SYS_pidfd_open, process_of(thread), 0)));
}

} // namespace

bool copy_memory(const seccomp_notif& asked, std::uint64_t address, void* to, std::size_t size) {
  iovec here{to, size};
  iovec there{reinterpret_cast<void*>(address), size}; // NOLINT(performance-no-int-to-ptr): the program's
  return ::process_vm_readv(static_cast<pid_t>(asked.pid), &here, 1, &there, 1, 0) == static_cast<ssize_t>(size);
}

descriptor copied_socket(int listener, const seccomp_notif& asked) {
  const descriptor caller = pidfd_of(asked.pid);
  const long copy =
      caller ? raw_syscall(SYS_pidfd_getfd, caller.get(), static_cast<int>(asked.data.args[0]), 0) : -EPERM;
  errno = copy < 0 ? static_cast<int>(-copy) : 0;
  descriptor socket(copy < 0 ? -1 : static_cast<int>(copy));
  // The caller still waits, so its thread id belonged to no other thread during the lookup.
  if (!socket || ::ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &asked.id) == 0) return socket;
  errno = EINTR;
  return {};
}

} // namespace cordon::linux_shim
