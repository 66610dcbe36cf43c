// SPDX-License-Identifier: BSL-1.0
/// The architectures of filters. A filter decides calls of one ABI and kills the process that uses another.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon::seccomp {

/// Processors whose system calls are known.
enum class arch : std::uint8_t { x86_64, aarch64, riscv64 };

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 3> arch_names{"x86_64", "aarch64", "riscv64"};

/// Returns: the name of the processor in targets.
[[nodiscard]] constexpr std::string_view name(arch cpu) { return arch_names[static_cast<std::size_t>(cpu)]; }

/// AUDIT_ARCH_* of linux/audit.h: the ELF machine, 64 bits, little endian.
[[nodiscard]] constexpr std::uint32_t audit_arch(arch cpu) {
  constexpr std::array<std::uint32_t, 3> machines{62, 183, 243};
  return 0xC0000000U | machines[static_cast<std::size_t>(cpu)];
}

/// x32 shares AUDIT_ARCH_X86_64 and sets this bit in the number (asm/unistd.h, __X32_SYSCALL_BIT). On x86_64 the filter
/// kills every number from here on.
inline constexpr std::uint32_t x32_bit = 0x40000000;

/// Numbers of x32 only (arch/x86/entry/syscalls/syscall_64.tbl). Older kernels accept them without the bit too.
inline constexpr std::uint32_t x32_slots_begin = 512;
inline constexpr std::uint32_t x32_slots_end = 548; ///< one past the last

} // namespace cordon::seccomp
