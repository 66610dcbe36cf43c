// SPDX-License-Identifier: BSL-1.0
/// Instructions and input of a filter, laid out as the kernel's struct sock_filter and struct seccomp_data.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace cordon::seccomp {

/// The operations of classic BPF that filters use (linux/bpf_common.h).
enum class op : std::uint16_t {
  load = 0x20, ///< A = the 32-bit word at offset k
  mask = 0x54, ///< A &= k
  jump = 0x05, ///< skip k instructions
  if_equal = 0x15,
  if_above = 0x25,
  if_at_least = 0x35,
  if_any_bit = 0x45,
  give = 0x06, ///< return k
};

struct insn {
  std::uint16_t code;
  std::uint8_t jt; ///< instructions to skip if the condition holds
  std::uint8_t jf; ///< instructions to skip if it does not
  std::uint32_t k;
  friend constexpr bool operator==(const insn&, const insn&) = default;
};
static_assert(sizeof(insn) == 8 && offsetof(insn, k) == 4);

struct data {
  std::int32_t nr = 0;
  std::uint32_t arch = 0;
  std::uint64_t instruction_pointer = 0;
  std::array<std::uint64_t, 6> args{};
};
static_assert(sizeof(data) == 64 && offsetof(data, args) == 16);

inline constexpr std::uint32_t offset_of_number = 0, offset_of_arch = 4;

/// The offset of the low half of an argument. All architectures of `arch` are little endian.
[[nodiscard]] constexpr std::uint32_t offset_of_argument(unsigned index) { return 16 + 8 * index; }

/// BPF_MAXINSNS
inline constexpr std::size_t longest_program = 4096;

} // namespace cordon::seccomp
