// SPDX-License-Identifier: BSL-1.0
// The C library functions that the compiler and the code shared with the launcher need, for an executable without one.
#include "nolibc.hpp"

#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" {

static int last_error = 0;
int* __errno_location() noexcept { return &last_error; } // NOLINT(bugprone-reserved-identifier)

long syscall(long number, ...) noexcept {
  va_list all;
  va_start(all, number);
  long a[6];
  for (long& each : a) each = va_arg(all, long);
  va_end(all);
  const long result = cordon::linux_shim::bare_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (result >= 0 || result < -4095) return result;
  last_error = static_cast<int>(-result);
  return -1;
}

void* mmap(void* at, std::size_t size, int may, int how, int fd, off_t offset) noexcept {
  return reinterpret_cast<void*>(syscall(SYS_mmap, at, size, may, how, fd, offset));
}
int mprotect(void* at, std::size_t size, int may) noexcept {
  return static_cast<int>(syscall(SYS_mprotect, at, size, may));
}
int munmap(void* at, std::size_t size) noexcept { return static_cast<int>(syscall(SYS_munmap, at, size)); }

/// Without clone3(2), which is older than the systems with a usable bwrap, the launch is refused.
int clone(int (*)(void*), void*, int, void*, ...) noexcept {
  last_error = ENOSYS;
  return -1;
}

void* memset(void* to, int value, std::size_t size) noexcept {
  auto* byte = static_cast<volatile unsigned char*>(to);
  while (size-- > 0) *byte++ = static_cast<unsigned char>(value);
  return to;
}
void* memcpy(void* to, const void* from, std::size_t size) noexcept {
  auto* byte = static_cast<volatile unsigned char*>(to);
  for (const auto* next = static_cast<const unsigned char*>(from); size > 0; --size) *byte++ = *next++;
  return to;
}
}
