// SPDX-License-Identifier: BSL-1.0
/// Mounts of a view, a file tree that contains only what a policy grants. A mount depends only on the rights at its
/// path, and fewer rights never give a stronger mount.
#pragma once

#include "../../gap/file_type.hpp"
#include "../../policy/rights.hpp"

#include <cstdint>
#include <string_view>

namespace cordon::mounts {

/// What a mount allows a process: bits, so that `&` gives what both allow.
enum class mount_access : std::uint8_t {
  hidden = 0, ///< a mask that can be traversed but not listed, or nothing at all
  read_only_noexec = 1,
  writable_noexec = 3,
  read_only = 5,
  writable = 7,
};

/// Returns: the name of the access; empty for bits that no mount has.
[[nodiscard]] constexpr std::string_view name(mount_access k) {
  switch (k) {
  case mount_access::hidden: return "hidden";
  case mount_access::read_only_noexec: return "read_only_noexec";
  case mount_access::writable_noexec: return "writable_noexec";
  case mount_access::read_only: return "read_only";
  case mount_access::writable: return "writable";
  }
  return {};
}

/// What both allow.
[[nodiscard]] constexpr mount_access operator&(mount_access a, mount_access b) {
  return static_cast<mount_access>(static_cast<std::uint8_t>(a) & static_cast<std::uint8_t>(b));
}
/// Can the path be looked up there?
[[nodiscard]] constexpr bool is_visible(mount_access k) { return k != mount_access::hidden; }
/// Can files be changed there?
[[nodiscard]] constexpr bool is_writable(mount_access k) {
  return (k & mount_access::writable_noexec) == mount_access::writable_noexec;
}
/// Can files be executed there?
[[nodiscard]] constexpr bool is_executable(mount_access k) {
  return (k & mount_access::read_only) == mount_access::read_only;
}

using cordon::file_type;

/// What the mechanism supports.
struct means {
  bool noexec = true; ///< mounts from which nothing can be executed
};

/// The rights that a read-only mount denies.
inline constexpr rights changes = right::write | right::create | right::remove | right::attributes;

/// A process can connect to a socket in a read-only mount. unix_find_bsd (net/unix/af_unix.c) checks write permission
/// on the inode. On a read-only mount the kernel refuses that only for regular files, directories and symbolic links
/// (sb_permission, fs/namei.c).
[[nodiscard]] constexpr rights rights_of(mount_access k) {
  rights r;
  if (is_visible(k)) r = verb::read | right::connect;
  if (is_writable(k)) r = r | changes;
  if (is_executable(k)) r = r | right::run;
  return r;
}

/// A path becomes one of three mounts, depending on its file type. `read` without `list` is exact for a file and
/// impossible for a directory. A socket allows only to connect.
struct mount {
  mount_access directory = mount_access::hidden; ///< also for everything beneath, and if the file type is unknown
  mount_access file = mount_access::hidden;      ///< what the mount allows if its path is a file
  bool socket = false;                           ///< a socket at the path may be connected to
  bool bind_to_itself = false; ///< bound to itself, so that a directory above a restriction cannot be moved away

  /// The mount as a value of a step function.
  [[nodiscard]] constexpr std::uint32_t bits() const {
    return static_cast<std::uint32_t>(directory) | static_cast<std::uint32_t>(file) << 4 |
           static_cast<std::uint32_t>(socket) << 8 | static_cast<std::uint32_t>(bind_to_itself) << 9;
  }
  /// The mount of such a value; the inverse of `bits`.
  [[nodiscard]] static constexpr mount from_bits(std::uint32_t bits) {
    return {static_cast<mount_access>(bits & 7), static_cast<mount_access>(bits >> 4 & 7), (bits >> 8 & 1) != 0,
            (bits >> 9 & 1) != 0};
  }
  /// What the mount allows if its path is a file of that type.
  [[nodiscard]] constexpr mount_access as(file_type i) const {
    if (i == file_type::file) return file;
    if (i == file_type::socket) return socket ? mount_access::read_only_noexec : mount_access::hidden;
    return directory;
  }
};

/// Returns the strongest mount that allows no more than these rights, except what a visible mount cannot deny:
/// connecting, and execution without `noexec`.
[[nodiscard]] constexpr mount mount_for(rights r, means can) {
  const auto pick = [&](rights seen, rights changed) {
    if (!(seen <= r)) return mount_access::hidden;
    const mount_access most = changed <= r ? mount_access::writable : mount_access::read_only;
    return r.has(right::run) || !can.noexec ? most : most & mount_access::writable_noexec;
  };
  return {pick(verb::read, changes), pick(right::read, right::write | right::attributes), r.has(right::connect)};
}

} // namespace cordon::mounts
