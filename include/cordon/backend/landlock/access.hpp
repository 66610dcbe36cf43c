// SPDX-License-Identifier: BSL-1.0
/// Access bits of Landlock by kernel ABI. Source: include/uapi/linux/landlock.h and the man page landlock(7); ABI 1 is
/// Linux 5.13, 2 is 5.19, 3 is 6.2, 4 is 6.7, 5 is 6.10, 6 is 6.12, 7 is 6.15, 8 is 7.0, 9 is 7.1, 10 is 7.2.
#pragma once

#include "../../policy/rights.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace cordon::landlock {

/// The highest ABI that these tables were checked against; a newer kernel is treated like this one.
inline constexpr int highest_abi = 10;

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

inline constexpr std::array<std::string_view, 17> access_names{
    "EXECUTE",   "WRITE_FILE", "READ_FILE", "READ_DIR",  "REMOVE_DIR",  "REMOVE_FILE",
    "MAKE_CHAR", "MAKE_DIR",   "MAKE_REG",  "MAKE_SOCK", "MAKE_FIFO",   "MAKE_BLOCK",
    "MAKE_SYM",  "REFER",      "TRUNCATE",  "IOCTL_DEV", "RESOLVE_UNIX"};

enum gap_extent : std::uint32_t { ABSTRACT_UNIX_SOCKET = 1U << 0, SIGNAL = 1U << 1 };

[[nodiscard]] constexpr int known(int abi) { return abi > highest_abi ? highest_abi : abi < 0 ? 0 : abi; }

/// Returns every access bit that a ruleset handles under that ABI. The kernel does not restrict other accesses.
[[nodiscard]] constexpr std::uint32_t handled(int abi) {
  abi = known(abi);
  if (abi == 0) return 0;
  std::uint32_t bits = REFER - 1;
  if (abi >= 2) bits |= REFER;
  if (abi >= 3) bits |= TRUNCATE;
  if (abi >= 5) bits |= IOCTL_DEV;
  if (abi >= 9) bits |= RESOLVE_UNIX;
  return bits;
}

[[nodiscard]] constexpr std::uint32_t scoped(int abi) { return known(abi) >= 6 ? ABSTRACT_UNIX_SOCKET | SIGNAL : 0; }

/// The bits of a rule on a file other than a directory; any other bit is EINVAL (security/landlock/fs.c).
inline constexpr std::uint32_t file_access = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV | RESOLVE_UNIX;

/// Returns the access bits of a set of rights. Attributes have none, nor has connect below ABI 9. MAKE_CHAR, MAKE_BLOCK
/// and IOCTL_DEV are handled and never granted.
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

/// Returns the bits of a rule on that type of inode; 0 means no rule.
[[nodiscard]] constexpr std::uint32_t for_inode(std::uint32_t bits, bool directory) {
  return directory ? bits : bits & file_access;
}

} // namespace cordon::landlock
