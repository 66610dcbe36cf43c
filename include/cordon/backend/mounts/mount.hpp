// SPDX-License-Identifier: BSL-1.0
/// Mounts: the words of a view of the file system in which only what a policy grants exists. A mount is a function of
/// the rights at its place alone, and a weaker set never makes a stronger mount.
#pragma once

#include "../../gap/file_type.hpp"
#include "../../policy/rights.hpp"

#include <cstdint>

namespace cordon::mounts {

/// What a mount lets a process do: bits, so that `&` is what both let it do.
enum class kind : std::uint8_t {
  hidden = 0, ///< a mask that can be walked through and not listed, or nothing at all
  read_only_noexec = 1,
  writable_noexec = 3,
  read_only = 5,
  writable = 7,
};

[[nodiscard]] constexpr kind operator&(kind a, kind b) {
  return static_cast<kind>(static_cast<std::uint8_t>(a) & static_cast<std::uint8_t>(b));
}
[[nodiscard]] constexpr bool is_visible(kind k) { return k != kind::hidden; }
[[nodiscard]] constexpr bool is_writable(kind k) { return (k & kind::writable_noexec) == kind::writable_noexec; }
[[nodiscard]] constexpr bool is_executable(kind k) { return (k & kind::read_only) == kind::read_only; }

using cordon::inode;

/// What the mechanism can say.
struct means {
  bool noexec = true; ///< a mount from which nothing is executed
};

inline constexpr rights changes = right::write | right::create | right::remove | right::attributes;

/// A read-only mount does not keep a process from connecting to a socket in it: unix_find_bsd (net/unix/af_unix.c) asks
/// for write permission on the inode, and only regular files, directories and links are refused for the mount's sake
/// (sb_permission, fs/namei.c).
[[nodiscard]] constexpr rights rights_of(kind k) {
  rights r;
  if (is_visible(k)) r = verb::read | right::connect;
  if (is_writable(k)) r = r | changes;
  if (is_executable(k)) r = r | right::run;
  return r;
}

/// A place becomes a mount of one of three kinds, by what lies there. `read` without `list` is exact for a file and
/// cannot be said of a directory; a socket can be connected to and nothing else.
struct mount {
  kind directory = kind::hidden; ///< holds for all beneath too, and where nobody knows what lies there
  kind file = kind::hidden;
  bool socket = false;
  bool pin = false; ///< bound upon itself, so that a directory on the way to a restriction cannot be moved away

  [[nodiscard]] constexpr std::uint32_t bits() const {
    return static_cast<std::uint32_t>(directory) | static_cast<std::uint32_t>(file) << 4 |
           static_cast<std::uint32_t>(socket) << 8 | static_cast<std::uint32_t>(pin) << 9;
  }
  [[nodiscard]] static constexpr mount from_bits(std::uint32_t bits) {
    return {static_cast<kind>(bits & 7), static_cast<kind>(bits >> 4 & 7), (bits >> 8 & 1) != 0, (bits >> 9 & 1) != 0};
  }
  [[nodiscard]] constexpr kind as(inode i) const {
    if (i == inode::file) return file;
    if (i == inode::socket) return socket ? kind::read_only_noexec : kind::hidden;
    return directory;
  }
};

/// The strongest mount that lets a process do no more than that, but for what no mount can deny where it shows
/// anything: to connect, and to execute where there is no `noexec`.
[[nodiscard]] constexpr mount mount_for(rights r, means can) {
  const auto pick = [&](rights seen, rights changed) {
    if (!(seen <= r)) return kind::hidden;
    const kind most = changed <= r ? kind::writable : kind::read_only;
    return r.has(right::run) || !can.noexec ? most : most & kind::writable_noexec;
  };
  return {pick(verb::read, changes), pick(right::read, right::write | right::attributes), r.has(right::connect)};
}

} // namespace cordon::mounts
