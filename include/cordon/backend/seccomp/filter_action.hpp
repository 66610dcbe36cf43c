// SPDX-License-Identifier: BSL-1.0
/// The result of a filter: the call continues, fails with an error number, ends the process, or notifies a supervisor.
#pragma once

#include <cstdint>

namespace cordon::seccomp {

/// SECCOMP_RET_* of linux/seccomp.h: the action in the upper half, its data in the lower one.
class filter_action {
public:
  constexpr filter_action() = default;
  /// From the value of a return instruction.
  constexpr explicit filter_action(std::uint32_t encoded) : encoded_(encoded) {}
  /// The kernel limits error numbers to 4095. With 0 it skips the call and reports success.
  [[nodiscard]] static constexpr filter_action error(std::uint32_t number) {
    return filter_action{0x00050000U | (number < 4095 ? number : 4095)};
  }

  /// The value of a return instruction: SECCOMP_RET_* with its data.
  [[nodiscard]] constexpr std::uint32_t encoded() const { return encoded_; }
  /// Returns the error number, or 0 for another action.
  [[nodiscard]] constexpr std::uint32_t error_number() const {
    return (encoded_ & 0xFFFF0000U) == 0x00050000U ? encoded_ & 0xFFFFU : 0;
  }
  friend constexpr bool operator==(filter_action, filter_action) = default; ///< Compares action and data.

private:
  std::uint32_t encoded_ = 0x80000000;
};

inline constexpr filter_action pass{0x7FFF0000}; ///< SECCOMP_RET_ALLOW
/// KILL_PROCESS: KILL_THREAD would leave the other threads running.
inline constexpr filter_action kill_process{0x80000000};
inline constexpr filter_action notify{0x7FC00000};                      ///< SECCOMP_RET_USER_NOTIF
inline constexpr filter_action not_permitted = filter_action::error(1); ///< EPERM
inline constexpr filter_action no_such_call = filter_action::error(38); ///< ENOSYS

} // namespace cordon::seccomp
