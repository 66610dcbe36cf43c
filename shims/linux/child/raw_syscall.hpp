// SPDX-License-Identifier: BSL-1.0
/// System calls by number. No library wrapper runs in the child: wrappers may be cancellation points, take locks or
/// keep copies of what the kernel knows.
#pragma once

#include <cerrno>
#include <unistd.h>

namespace cordon::linux_shim {

template <class T> long word(T value) noexcept {
  if constexpr (requires { reinterpret_cast<long>(value); }) return reinterpret_cast<long>(value);
  else return static_cast<long>(value);
}

/// The call's result, or -errno.
template <class... Args> long raw_syscall(long number, Args... args) noexcept {
  const long answer = ::syscall(number, word(args)...);
  return answer == -1 ? -errno : answer;
}

/// The call's errno, or 0.
template <class... Args> int error_of(long number, Args... args) noexcept {
  const long answer = raw_syscall(number, args...);
  return answer < 0 ? static_cast<int>(-answer) : 0;
}

} // namespace cordon::linux_shim
