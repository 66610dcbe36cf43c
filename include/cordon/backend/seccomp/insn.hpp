// SPDX-License-Identifier: BSL-1.0
/// Instructions and input of a filter, laid out as the kernel's struct sock_filter and struct seccomp_data.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

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

/// Returns: the name of the operation; empty for a code that filters do not use.
[[nodiscard]] constexpr std::string_view name(op o) {
  switch (o) {
  case op::load: return "load";
  case op::mask: return "mask";
  case op::jump: return "jump";
  case op::if_equal: return "if_equal";
  case op::if_above: return "if_above";
  case op::if_at_least: return "if_at_least";
  case op::if_any_bit: return "if_any_bit";
  case op::give: return "give";
  }
  return {};
}

/// One instruction, laid out as struct sock_filter.
struct insn {
  std::uint16_t code;                                                   ///< operation, an `op`
  std::uint8_t jt;                                                      ///< instructions to skip if the condition holds
  std::uint8_t jf;                                                      ///< instructions to skip if it does not
  std::uint32_t k;                                                      ///< operand
  friend constexpr bool operator==(const insn&, const insn&) = default; ///< Compares every member.
};
static_assert(sizeof(insn) == 8 && offsetof(insn, k) == 4);

/// What a filter reads: struct seccomp_data of linux/seccomp.h.
struct data {
  std::int32_t nr = 0;                   ///< number of the call
  std::uint32_t arch = 0;                ///< AUDIT_ARCH_* of the caller
  std::uint64_t instruction_pointer = 0; ///< address of the call
  std::array<std::uint64_t, 6> args{};   ///< arguments of the call
};
static_assert(sizeof(data) == 64 && offsetof(data, args) == 16);

inline constexpr std::uint32_t offset_of_number = 0; ///< of the call number in `data`
inline constexpr std::uint32_t offset_of_arch = 4;   ///< of AUDIT_ARCH_* in `data`

/// The offset of the low half of an argument. All architectures of `arch` are little endian.
[[nodiscard]] constexpr std::uint32_t offset_of_argument(unsigned index) { return 16 + 8 * index; }

/// BPF_MAXINSNS
inline constexpr std::size_t longest_program = 4096;

} // namespace cordon::seccomp
