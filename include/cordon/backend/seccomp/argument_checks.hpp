// SPDX-License-Identifier: BSL-1.0
/// Checks of arguments. The kernel reads all of these as int or unsigned int and ignores the upper half of the
/// register. So do the checks: otherwise a set upper bit would bypass them (CVE-2019-7303 was such a filter).
#pragma once

#include "assembler.hpp"
#include "disposition.hpp"
#include "filter_spec.hpp"

#include <array>
#include <cstdint>
#include <initializer_list>

namespace cordon::seccomp {

namespace constants {

// linux/sched.h: CLONE_NEW{NS,CGROUP,UTS,IPC,USER,PID,NET}. CLONE_NEWTIME is for unshare only: in clone the lowest byte
// is the exit signal of the child.
inline constexpr std::uint32_t new_namespaces = 0x7E020000, new_time = 0x80, thread = 0x00010000;
// asm-generic/ioctls.h: TIOC{STI,LINUX,CONS,SETD}; linux/fs.h: FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR.
inline constexpr std::array<std::uint32_t, 6> requests{0x5412, 0x541C, 0x541D, 0x5423, 0x40086602, 0x401C5820};
// linux/socket.h
inline constexpr std::uint32_t af_unix = 1, af_inet = 2, af_inet6 = 10, af_packet = 17;
inline constexpr std::uint32_t kind_bits = 0xF, stream = 1, dgram = 2, raw = 3, seqpacket = 5;
inline constexpr std::uint32_t tcp = 6, udp = 17, fast_open = 0x20000000;
// linux/resource.h, linux/ioprio.h: all processes of one user, in the run or outside.
inline constexpr std::uint32_t prio_user = 2, ioprio_user = 3;
// asm-generic/fcntl.h: O_CREAT and __O_TMPFILE; without them the kernel ignores the mode argument.
inline constexpr std::uint32_t makes_file = 0x40 | 0x400000;
// linux/stat.h: S_ISUID. S_ISGID is not refused: directories have it and pass it on to new entries. Every tool that
// preserves a mode sets it there again (cp -a, tar -p, rsync, chmod -R, git in a shared repository). A filter cannot
// distinguish directories from files. As chmod must allow it, refusing it at creation would enforce nothing.
inline constexpr std::uint32_t set_user_id = 0x800;

} // namespace constants

struct argument_checks {
  const filter_spec& d;

  template <class Blocks> constexpr label operator()(assembler& out, Blocks& block, disposition what) const {
    switch (what) {
    case disposition::clone_flags: return clone_flags(out, block);
    case disposition::unshare_flags: return refuse_bits(out, block, 0, constants::new_namespaces | constants::new_time);
    case disposition::ioctl_request: return ioctl_request(out, block);
    case disposition::socket_kind: return socket_kind(out, block);
    case disposition::socketpair_kind: return socketpair_kind(out, block);
    case disposition::send_flags_2: return refuse_bits(out, block, 2, constants::fast_open);
    case disposition::send_flags_3: return refuse_bits(out, block, 3, constants::fast_open);
    case disposition::mode_1: return refuse_bits(out, block, 1, constants::set_user_id);
    case disposition::mode_2: return refuse_bits(out, block, 2, constants::set_user_id);
    case disposition::new_mode_2: return new_mode(out, block, 2, block(disposition::mode_2));
    case disposition::new_mode_3: return new_mode(out, block, 3, refuse_bits(out, block, 3, constants::set_user_id));
    case disposition::own_priority: return own(out, block, constants::prio_user);
    case disposition::own_io_priority: return own(out, block, constants::ioprio_user);
    default: return only(out, block, 0, {0});
    }
  }

private:
  /// Allows the listed values and refuses all others. A negative value never matches.
  template <class Blocks>
  static constexpr label only(assembler& out, Blocks& block, unsigned argument,
                              std::initializer_list<std::int32_t> values) {
    const label yes = block(disposition::allow);
    label next = block(disposition::refuse);
    for (const std::int32_t value : values)
      if (value >= 0) next = out.branch(op::if_equal, static_cast<std::uint32_t>(value), yes, next);
    return out.load(offset_of_argument(argument), next);
  }

  template <class Blocks>
  static constexpr label refuse_bits(assembler& out, Blocks& block, unsigned argument, std::uint32_t bits) {
    const label yes = block(disposition::refuse);
    const label no = block(disposition::allow);
    return out.load(offset_of_argument(argument), out.branch(op::if_any_bit, bits, yes, no));
  }

  /// Checks the mode only if the flags create a file. Most calls open an existing file, so only their flags are
  /// checked.
  template <class Blocks>
  static constexpr label new_mode(assembler& out, Blocks& block, unsigned argument, label looked_at) {
    const label opened = block(disposition::allow);
    return out.load(offset_of_argument(argument - 1),
                    out.branch(op::if_any_bit, constants::makes_file, looked_at, opened));
  }

  template <class Blocks> constexpr label clone_flags(assembler& out, Blocks& block) const {
    const label refused = block(disposition::refuse);
    label next = block(disposition::allow);
    if (!d.spawn) next = out.branch(op::if_any_bit, constants::thread, next, refused);
    if (!d.lifts(ability::namespaces)) next = out.branch(op::if_any_bit, constants::new_namespaces, refused, next);
    return out.load(offset_of_argument(0), next);
  }

  template <class Blocks> static constexpr label ioctl_request(assembler& out, Blocks& block) {
    const label refused = block(disposition::refuse);
    label next = block(disposition::allow);
    for (const std::uint32_t request : constants::requests) next = out.branch(op::if_equal, request, refused, next);
    return out.load(offset_of_argument(1), next);
  }

  /// `which` gives the meaning of `who`: refuses the processes of a user; otherwise `who` must be 0, the caller.
  template <class Blocks> static constexpr label own(assembler& out, Blocks& block, std::uint32_t user) {
    const label self = only(out, block, 1, {0});
    return out.load(offset_of_argument(0), out.branch(op::if_equal, user, block(disposition::refuse), self));
  }

  template <class Blocks> constexpr label socket_kind(assembler& out, Blocks& block) const {
    using namespace constants;
    const bool any = d.lifts(ability::raw_socket);
    const label allowed = block(disposition::allow);
    const label refused = block(disposition::refuse);
    const label datagram = only(out, block, 2, {0, static_cast<std::int32_t>(udp)});
    const label streaming = only(out, block, 2, {0, static_cast<std::int32_t>(tcp)});
    label kinds = out.branch(op::if_equal, stream, streaming, refused);
    if (d.udp) kinds = out.branch(op::if_equal, dgram, datagram, kinds);
    if (any) kinds = out.branch(op::if_equal, raw, allowed, kinds);
    const label internet = out.load(offset_of_argument(1), out.mask(kind_bits, kinds));
    label families = out.branch(op::if_equal, af_inet6, internet, refused);
    families = out.branch(op::if_equal, af_inet, internet, families);
    if (d.unix_sockets) families = out.branch(op::if_equal, af_unix, allowed, families);
    if (any) families = out.branch(op::if_equal, af_packet, allowed, families);
    return out.load(offset_of_argument(0), families);
  }

  /// A datagram pair can address any named socket, so it is decided like a named socket.
  template <class Blocks> constexpr label socketpair_kind(assembler& out, Blocks& block) const {
    using namespace constants;
    const label allowed = block(disposition::allow);
    const label refused = block(disposition::refuse);
    label kinds = out.branch(op::if_equal, stream, allowed, refused);
    kinds = out.branch(op::if_equal, seqpacket, allowed, kinds);
    if (d.network && d.unix_sockets) kinds = out.branch(op::if_equal, dgram, allowed, kinds);
    const label pairs = out.load(offset_of_argument(1), out.mask(kind_bits, kinds));
    return out.load(offset_of_argument(0), out.branch(op::if_equal, af_unix, pairs, refused));
  }
};

} // namespace cordon::seccomp
