// SPDX-License-Identifier: BSL-1.0
/// Which processes of the namespaces get a signal that cordon sends to the init process: bits of the value that comes
/// with the signal (sigqueue(3)). None: the program alone.
#pragma once

#include <cstdint>

namespace cordon::linux_shim::signal_target {

inline constexpr std::uint32_t program = 0;
inline constexpr std::uint32_t group = 1;    ///< the program's process group
inline constexpr std::uint32_t everyone = 2; ///< all processes but init; SIGTSTP becomes SIGSTOP, which stops each one
inline constexpr std::uint32_t foreground = 4; ///< the program's group comes into the foreground of its terminal
inline constexpr std::uint32_t background = 8; ///< it leaves the foreground: the next read stops it

} // namespace cordon::linux_shim::signal_target
