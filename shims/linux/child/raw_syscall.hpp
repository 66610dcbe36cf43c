// SPDX-License-Identifier: BSL-1.0
/// System calls by number. The child runs no library wrapper: a wrapper may be a cancellation point, take a lock or
/// keep a copy of kernel state.
#pragma once

#include <cerrno>
#include <unistd.h>

namespace cordon::linux_shim {

template <class T> long word(T value) noexcept {
  if constexpr (requires { reinterpret_cast<long>(value); }) return reinterpret_cast<long>(value);
  else return static_cast<long>(value);
}

/// Returns: the call's result, or -errno.
template <class... Args> long raw_syscall(long number, Args... args) noexcept {
  const long answer = ::syscall(number, word(args)...);
  return answer == -1 ? -errno : answer;
}

/// Returns: the call's errno, or 0.
template <class... Args> int error_of(long number, Args... args) noexcept {
  const long answer = raw_syscall(number, args...);
  return answer < 0 ? static_cast<int>(-answer) : 0;
}

} // namespace cordon::linux_shim
