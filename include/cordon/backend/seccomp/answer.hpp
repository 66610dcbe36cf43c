// SPDX-License-Identifier: BSL-1.0
/// What a filter answers: the call goes on, fails with an error number, ends the process, or asks a supervisor.
#pragma once

#include <cstdint>

namespace cordon::seccomp {

/// SECCOMP_RET_* of linux/seccomp.h: the action in the upper half, its data in the lower one.
class answer {
public:
  constexpr answer() = default;
  constexpr explicit answer(std::uint32_t encoded) : encoded_(encoded) {}
  /// The kernel cuts error numbers at 4095, and takes 0 as "pretend that it has worked".
  [[nodiscard]] static constexpr answer error(std::uint32_t number) {
    return answer{0x00050000U | (number < 4095 ? number : 4095)};
  }

  [[nodiscard]] constexpr std::uint32_t encoded() const { return encoded_; }
  /// The error number, or 0 for another answer.
  [[nodiscard]] constexpr std::uint32_t error_number() const {
    return (encoded_ & 0xFFFF0000U) == 0x00050000U ? encoded_ & 0xFFFFU : 0;
  }
  friend constexpr bool operator==(answer, answer) = default;

private:
  std::uint32_t encoded_ = 0x80000000;
};

inline constexpr answer pass{0x7FFF0000};
/// KILL_PROCESS: after KILL_THREAD a half-dead process would go on.
inline constexpr answer kill_process{0x80000000};
inline constexpr answer notify{0x7FC00000};
inline constexpr answer not_permitted = answer::error(1); ///< EPERM
inline constexpr answer no_such_call = answer::error(38); ///< ENOSYS

} // namespace cordon::seccomp
