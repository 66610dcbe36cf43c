// SPDX-License-Identifier: BSL-1.0
/// Mounts: the words of a view of the file system in which only what a policy grants exists. A mount is a function of
/// the rights at its place alone, and a weaker set never makes a stronger mount.
#pragma once

#include "../../gap/file_type.hpp"
#include "../../policy/rights.hpp"

#include <cstdint>

namespace cordon::mounts {

/// What a mount lets a process do: bits, so that `&` is what both let it do.
enum class mount_access : std::uint8_t {
  hidden = 0, ///< a mask that can be walked through and not listed, or nothing at all
  read_only_noexec = 1,
  writable_noexec = 3,
  read_only = 5,
  writable = 7,
};

[[nodiscard]] constexpr mount_access operator&(mount_access a, mount_access b) {
  return static_cast<mount_access>(static_cast<std::uint8_t>(a) & static_cast<std::uint8_t>(b));
}
[[nodiscard]] constexpr bool is_visible(mount_access k) { return k != mount_access::hidden; }
[[nodiscard]] constexpr bool is_writable(mount_access k) {
  return (k & mount_access::writable_noexec) == mount_access::writable_noexec;
}
[[nodiscard]] constexpr bool is_executable(mount_access k) {
  return (k & mount_access::read_only) == mount_access::read_only;
}

using cordon::file_type;

/// What the mechanism can say.
struct means {
  bool noexec = true; ///< a mount from which nothing is executed
};

inline constexpr rights changes = right::write | right::create | right::remove | right::attributes;

/// A read-only mount does not keep a process from connecting to a socket in it: unix_find_bsd (net/unix/af_unix.c) asks
/// for write permission on the inode, and only regular files, directories and links are refused for the mount's sake
/// (sb_permission, fs/namei.c).
[[nodiscard]] constexpr rights rights_of(mount_access k) {
  rights r;
  if (is_visible(k)) r = verb::read | right::connect;
  if (is_writable(k)) r = r | changes;
  if (is_executable(k)) r = r | right::run;
  return r;
}

/// A place becomes a mount of one of three kinds, by what lies there. `read` without `list` is exact for a file and
/// cannot be said of a directory; a socket can be connected to and nothing else.
struct mount {
  mount_access directory = mount_access::hidden; ///< holds for all beneath too, and where nobody knows what lies there
  mount_access file = mount_access::hidden;
  bool socket = false;
  bool bind_to_itself =
      false; ///< bound upon itself, so that a directory on the way to a restriction cannot be moved away

  [[nodiscard]] constexpr std::uint32_t bits() const {
    return static_cast<std::uint32_t>(directory) | static_cast<std::uint32_t>(file) << 4 |
           static_cast<std::uint32_t>(socket) << 8 | static_cast<std::uint32_t>(bind_to_itself) << 9;
  }
  [[nodiscard]] static constexpr mount from_bits(std::uint32_t bits) {
    return {static_cast<mount_access>(bits & 7), static_cast<mount_access>(bits >> 4 & 7), (bits >> 8 & 1) != 0,
            (bits >> 9 & 1) != 0};
  }
  [[nodiscard]] constexpr mount_access as(file_type i) const {
    if (i == file_type::file) return file;
    if (i == file_type::socket) return socket ? mount_access::read_only_noexec : mount_access::hidden;
    return directory;
  }
};

/// The strongest mount that lets a process do no more than that, but for what no mount can deny where it shows
/// anything: to connect, and to execute where there is no `noexec`.
[[nodiscard]] constexpr mount mount_for(rights r, means can) {
  const auto pick = [&](rights seen, rights changed) {
    if (!(seen <= r)) return mount_access::hidden;
    const mount_access most = changed <= r ? mount_access::writable : mount_access::read_only;
    return r.has(right::run) || !can.noexec ? most : most & mount_access::writable_noexec;
  };
  return {pick(verb::read, changes), pick(right::read, right::write | right::attributes), r.has(right::connect)};
}

} // namespace cordon::mounts
