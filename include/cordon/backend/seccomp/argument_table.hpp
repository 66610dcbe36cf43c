// SPDX-License-Identifier: BSL-1.0
/// Constants of the kernel, and the table of arguments that are refused. The filter, the rules of container runtimes
/// and the proof read the table, so one more argument of that form is one row here.
#pragma once

#include "disposition.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace cordon::seccomp {

namespace constants {

/// Of the kernel's headers, as the comment above it states.
///@{

// linux/sched.h: CLONE_NEW{NS,CGROUP,UTS,IPC,USER,PID,NET}. CLONE_NEWTIME is for unshare only: in clone the lowest byte
// is the exit signal of the child.
inline constexpr std::uint32_t new_namespaces = 0x7E020000, new_time = 0x80, thread = 0x00010000;
// asm-generic/ioctls.h: TIOC{STI,LINUX,CONS,SETD}; linux/fs.h: FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR.
inline constexpr std::array<std::uint32_t, 6> requests{0x5412, 0x541C, 0x541D, 0x5423, 0x40086602, 0x401C5820};
// linux/socket.h
inline constexpr std::uint32_t af_unix = 1, af_inet = 2, af_inet6 = 10, af_netlink = 16, af_packet = 17;
inline constexpr std::uint32_t netlink_route = 0; // linux/netlink.h
inline constexpr std::uint32_t kind_bits = 0xF, sock_stream = 1, sock_dgram = 2, sock_raw = 3, sock_seqpacket = 5;
inline constexpr std::uint32_t tcp = 6, udp = 17, fast_open = 0x20000000;
// linux/resource.h, linux/ioprio.h: all processes of one user, in the run or outside.
inline constexpr std::uint32_t prio_user = 2, ioprio_user = 3;
// asm-generic/fcntl.h: O_CREAT and __O_TMPFILE; without them the kernel ignores the mode argument.
inline constexpr std::uint32_t makes_file = 0x40 | 0x400000;
// linux/stat.h: S_ISUID. S_ISGID is not refused: directories have it and pass it on to new entries. Every tool that
// preserves a mode sets it there again (cp -a, tar -p, rsync, chmod -R, git in a shared repository). A filter cannot
// distinguish directories from files. As chmod must allow it, refusing it at creation would enforce nothing.
inline constexpr std::uint32_t set_user_id = 0x800;

///@}

} // namespace constants

/// A call is refused if one argument has any of the bits, or is one of the values. A row has bits or values.
struct refused_argument {
  disposition what = disposition::allow;   ///< the disposition of the calls that are checked
  std::uint32_t argument = 0;              ///< the index of the argument, from 0
  std::uint32_t bits = 0;                  ///< bits of which none may be set; 0: `values` counts
  std::span<const std::uint32_t> values{}; ///< values that are refused

  [[nodiscard]] constexpr bool any() const { return bits != 0 || !values.empty(); } ///< Is anything refused?
  /// Is this value of the argument refused?
  [[nodiscard]] constexpr bool refuses(std::uint32_t given) const {
    for (const std::uint32_t v : values)
      if (v == given) return true;
    return (given & bits) != 0;
  }
};

/// The refused arguments of all calls.
inline constexpr refused_argument refused_arguments[]{
    {disposition::unshare_flags, 0, constants::new_namespaces | constants::new_time},
    {disposition::ioctl_request, 1, 0, constants::requests},
    {disposition::send_flags_2, 2, constants::fast_open},
    {disposition::send_flags_3, 3, constants::fast_open},
    {disposition::mode_1, 1, constants::set_user_id},
    {disposition::mode_2, 2, constants::set_user_id},
};

/// Returns the row of a disposition; if there is none, a row that refuses nothing. O(rows).
[[nodiscard]] constexpr refused_argument refused_argument_of(disposition what) {
  for (const refused_argument& row : refused_arguments)
    if (row.what == what) return row;
  return {};
}

} // namespace cordon::seccomp
