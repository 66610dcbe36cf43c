// SPDX-License-Identifier: BSL-1.0
/// Operations of macOS sandbox profiles (SBPL) for cordon's rights.
///
/// Rules name only single operations, never the families file-read* and file-write*. A rule that names an operation
/// wins over one that names its family, in any order (measured with sandbox-exec). So the order of a profile with both
/// would be misleading. process-exec* has no single operation in any rule here, so nothing is mixed.
#pragma once

#include "../../policy/rights.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon::seatbelt {

/// What a rule may allow or deny. The first are cordon's rights in their order. Reading a directory and reading a
/// file are one operation; the vnode type distinguishes them.
enum operation : std::uint32_t {
  READ = 1U << 0,
  LIST = 1U << 1,
  RUN = 1U << 2,
  WRITE = 1U << 3,
  CREATE = 1U << 4,
  REMOVE = 1U << 5,
  ATTRIBUTES = 1U << 6,
  CONNECT = 1U << 7,
  METADATA = 1U << rights::width,    ///< existence and file type
  XATTR = 1U << (rights::width + 1), ///< reading extended attributes
};
/// Names of the operations, by bit.
inline constexpr std::array<std::string_view, 10> operation_bit_names{
    "READ", "LIST", "RUN", "WRITE", "CREATE", "REMOVE", "ATTRIBUTES", "CONNECT", "METADATA", "XATTR"};
/// Returns: the name of one bit; empty for none or several.
[[nodiscard]] constexpr std::string_view name(operation bit) {
  return std::has_single_bit(std::uint32_t{bit})
             ? operation_bit_names[static_cast<std::size_t>(std::countr_zero(std::uint32_t{bit}))]
             : std::string_view();
}
inline constexpr std::uint32_t all_rights = METADATA - 1;      ///< the operations that are rights of a policy
inline constexpr std::uint32_t all_operations = 2 * XATTR - 1; ///< every operation of a profile

/// A path with any right has METADATA; extended attributes count as content.
[[nodiscard]] constexpr std::uint32_t operations_of(rights r) {
  return r.bits() | (r.empty() ? 0U : METADATA) | (r.has(right::read) || r.has(right::list) ? XATTR : 0U);
}

/// Names of the operations that take a plain path. Hard links (file-link), clones, device ioctls, set-user-ID bits
/// (file-write-setugid) and mounts are in no list, so they stay denied. file-test-existence requires macOS 12.
struct operation_names {
  std::uint32_t bits;     ///< all of them must be set
  std::string_view names; ///< what a profile calls them, with blanks between
};
/// The operations that take a path.
inline constexpr operation_names path_operations[]{
    {READ | LIST, "file-read-data"},
    {XATTR, "file-read-xattr"},
    {METADATA, "file-read-metadata file-test-existence"},
    {RUN, "process-exec* file-map-executable"},
    {WRITE, "file-write-data"},
    {CREATE, "file-write-create"},
    {REMOVE, "file-write-unlink"},
    {ATTRIBUTES, "file-write-mode file-write-owner file-write-times file-write-flags file-write-xattr file-write-acl"}};
/// A right that no rule names would be denied, while `permits` returns what the policy says. Rules for sockets have a
/// path of their own kind.
static_assert([] {
  std::uint32_t named = CONNECT;
  for (const operation_names& o : path_operations) named |= o.bits;
  return named == all_operations;
}());

} // namespace cordon::seatbelt
