// SPDX-License-Identifier: BSL-1.0
/// Access bits of Landlock by kernel ABI. Source: include/uapi/linux/landlock.h and the man page landlock(7).
#pragma once

#include "../../policy/default_devices.hpp"
#include "../../policy/rights.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon::landlock {

/// What a ruleset can deny on a file or on what is beneath a directory: LANDLOCK_ACCESS_FS_* of the kernel.
enum access : std::uint32_t {
  EXECUTE = 1U << 0,
  WRITE_FILE = 1U << 1,
  READ_FILE = 1U << 2,
  READ_DIR = 1U << 3,
  REMOVE_DIR = 1U << 4,
  REMOVE_FILE = 1U << 5,
  MAKE_CHAR = 1U << 6,
  MAKE_DIR = 1U << 7,
  MAKE_REG = 1U << 8,
  MAKE_SOCK = 1U << 9,
  MAKE_FIFO = 1U << 10,
  MAKE_BLOCK = 1U << 11,
  MAKE_SYM = 1U << 12,
  REFER = 1U << 13,
  TRUNCATE = 1U << 14,
  IOCTL_DEV = 1U << 15,
  RESOLVE_UNIX = 1U << 16,
};

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 17> access_names{
    "EXECUTE",   "WRITE_FILE", "READ_FILE", "READ_DIR",  "REMOVE_DIR",  "REMOVE_FILE",
    "MAKE_CHAR", "MAKE_DIR",   "MAKE_REG",  "MAKE_SOCK", "MAKE_FIFO",   "MAKE_BLOCK",
    "MAKE_SYM",  "REFER",      "TRUNCATE",  "IOCTL_DEV", "RESOLVE_UNIX"};
/// Returns: the name of one bit; empty for none or several.
[[nodiscard]] constexpr std::string_view name(access bit) {
  return std::has_single_bit(std::uint32_t{bit})
             ? access_names[static_cast<std::size_t>(std::countr_zero(std::uint32_t{bit}))]
             : std::string_view();
}

/// What a ruleset can cut off from processes outside it.
enum scope : std::uint32_t { ABSTRACT_UNIX_SOCKET = 1U << 0, SIGNAL = 1U << 1 };
/// Returns: the name of one bit; empty for none or several.
[[nodiscard]] constexpr std::string_view name(scope bit) {
  switch (bit) {
  case ABSTRACT_UNIX_SOCKET: return "ABSTRACT_UNIX_SOCKET";
  case SIGNAL: return "SIGNAL";
  }
  return {};
}

/// A Landlock ABI, and what it adds to the one before.
struct abi_row {
  int abi;                       ///< the number that landlock_create_ruleset(2) returns
  std::string_view name;         ///< of the target
  std::string_view since;        ///< the first release of Linux that has it
  unsigned ruleset_size;         ///< bytes of struct landlock_ruleset_attr
  std::uint32_t adds_access = 0; ///< access bits that the ABI before does not handle
  std::uint32_t adds_scope = 0;  ///< scope bits that the ABI before does not handle
};

/// All ABIs that were checked, without gaps. A newer kernel is treated like the last one. A gap type in gap_types.hpp
/// names what the ABIs before a row do not restrict.
inline constexpr abi_row abi_table[]{
    {1, "1", "5.13", 8, REFER - 1},
    {2, "2", "5.19", 8, REFER},
    {3, "3", "6.2", 8, TRUNCATE},
    {4, "4", "6.7", 16},
    {5, "5", "6.10", 16, IOCTL_DEV},
    {6, "6", "6.12", 24, 0, ABSTRACT_UNIX_SOCKET | SIGNAL},
    {7, "7", "6.15", 24},
    {8, "8", "7.0", 24},
    {9, "9", "7.1", 24, RESOLVE_UNIX},
    {10, "10", "7.2", 24},
};

/// The newest ABI in the table; later ones are treated like it.
inline constexpr int highest_abi = static_cast<int>(std::size(abi_table));

inline constexpr std::string_view highest_abi_name = abi_table[highest_abi - 1].name; ///< its name as a target

/// The ABI of the table for an ABI of a kernel: newer ones are the highest, negative ones 0.
[[nodiscard]] constexpr int known(int abi) { return abi > highest_abi ? highest_abi : abi < 0 ? 0 : abi; }

namespace detail {

/// What all rows up to an ABI add together, by ABI. Looked up for each path of a policy.
struct sums {
  std::uint32_t access[highest_abi + 1]{};
  std::uint32_t scope[highest_abi + 1]{};
};
inline constexpr sums up_to = [] {
  sums all;
  for (const abi_row& row : abi_table) {
    all.access[row.abi] = all.access[row.abi - 1] | row.adds_access;
    all.scope[row.abi] = all.scope[row.abi - 1] | row.adds_scope;
  }
  return all;
}();

} // namespace detail

/// Returns every access bit that a ruleset handles under that ABI. The kernel does not restrict other accesses.
[[nodiscard]] constexpr std::uint32_t handled(int abi) { return detail::up_to.access[known(abi)]; }

/// Returns every scope that a ruleset handles under that ABI.
[[nodiscard]] constexpr std::uint32_t scoped(int abi) { return detail::up_to.scope[known(abi)]; }

/// Returns the size of the kernel's structure in bytes; 0 without Landlock. A kernel also accepts a longer one with a
/// tail of zeros, but the exact size is valid on every kernel.
[[nodiscard]] constexpr unsigned ruleset_size(int abi) {
  return known(abi) == 0 ? 0 : abi_table[known(abi) - 1].ruleset_size;
}

/// The bits of a rule on a file other than a directory; any other bit is EINVAL (security/landlock/fs.c).
inline constexpr std::uint32_t file_access = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV | RESOLVE_UNIX;

/// Returns the access bits of a set of rights. Attributes have none, nor has connect below ABI 9. MAKE_CHAR and
/// MAKE_BLOCK are handled and never granted; IOCTL_DEV is granted by `commands_at` alone.
[[nodiscard]] constexpr std::uint32_t access_of(rights r, int abi) {
  std::uint32_t bits = 0;
  if (r.has(right::read)) bits |= READ_FILE;
  if (r.has(right::list)) bits |= READ_DIR;
  if (r.has(right::run)) bits |= EXECUTE;
  if (r.has(right::write)) bits |= WRITE_FILE | TRUNCATE;
  if (r.has(right::create)) bits |= MAKE_REG | MAKE_DIR | MAKE_SYM | MAKE_FIFO | MAKE_SOCK | REFER;
  if (r.has(right::remove)) bits |= REMOVE_FILE | REMOVE_DIR | REFER;
  if (r.has(right::connect)) bits |= RESOLVE_UNIX;
  return bits & handled(abi);
}

/// Returns the bit for device commands, if the rights at the path allow them.
[[nodiscard]] constexpr std::uint32_t commands_at(std::string_view place, rights r, int abi) {
  return r.has(right::write) && is_grantable_device(place) ? IOCTL_DEV & handled(abi) : 0;
}

/// Returns the bits of a rule on that type of inode; 0 means no rule.
[[nodiscard]] constexpr std::uint32_t for_inode(std::uint32_t bits, bool directory) {
  return directory ? bits : bits & file_access;
}

} // namespace cordon::landlock
