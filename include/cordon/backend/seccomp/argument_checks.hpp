// SPDX-License-Identifier: BSL-1.0
/// Checks of arguments. The kernel reads all of these as int or unsigned int and ignores the upper half of the
/// register. So do the checks: otherwise a set upper bit would bypass them (CVE-2019-7303 was such a filter).
#pragma once

#include "argument_table.hpp"
#include "assembler.hpp"
#include "filter_spec.hpp"

#include <cstdint>
#include <initializer_list>

namespace cordon::seccomp {

/// The checks of arguments, one block for each disposition.
struct argument_checks {
  const filter_spec& d; ///< what the filter must do

  /// Emits the block of a disposition, and returns its label.
  template <class Blocks> constexpr label operator()(assembler& out, Blocks& block, disposition what) const {
    if (const refused_argument r = refused_argument_of(what); r.any())
      return r.values.empty() ? refuse_bits(out, block, r.argument, r.bits) : refuse_values(out, block, r);
    switch (what) {
    case disposition::clone_flags: return clone_flags(out, block);
    case disposition::socket_kind: return socket_kind(out, block);
    case disposition::socketpair_kind: return socketpair_kind(out, block);
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

  template <class Blocks>
  static constexpr label refuse_values(assembler& out, Blocks& block, const refused_argument& r) {
    const label refused = block(disposition::refuse);
    label next = block(disposition::allow);
    for (const std::uint32_t value : r.values) next = out.branch(op::if_equal, value, refused, next);
    return out.load(offset_of_argument(r.argument), next);
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

  /// `which` gives the meaning of `who`: refuses the processes of a user; otherwise `who` must be 0, the caller.
  template <class Blocks> static constexpr label own(assembler& out, Blocks& block, std::uint32_t user) {
    const label self = only(out, block, 1, {0});
    return out.load(offset_of_argument(0), out.branch(op::if_equal, user, block(disposition::refuse), self));
  }

  template <class Blocks>
  static constexpr label unix_kinds(assembler& out, Blocks& block, std::initializer_list<std::uint32_t> all) {
    const label allowed = block(disposition::allow);
    label kinds = block(disposition::refuse);
    for (const std::uint32_t kind : all) kinds = out.branch(op::if_equal, kind, allowed, kinds);
    return out.load(offset_of_argument(1), out.mask(constants::kind_bits, kinds));
  }

  template <class Blocks> constexpr label socket_kind(assembler& out, Blocks& block) const {
    using namespace constants;
    const bool any = d.lifts(ability::raw_socket);
    const label allowed = block(disposition::allow);
    const label refused = block(disposition::refuse);
    const label datagram = only(out, block, 2, {0, static_cast<std::int32_t>(udp)});
    const label streaming = only(out, block, 2, {0, static_cast<std::int32_t>(tcp)});
    label kinds = out.branch(op::if_equal, sock_stream, streaming, refused);
    if (d.udp) kinds = out.branch(op::if_equal, sock_dgram, datagram, kinds);
    if (any) kinds = out.branch(op::if_equal, sock_raw, allowed, kinds);
    const label internet = out.load(offset_of_argument(1), out.mask(kind_bits, kinds));
    // The program compares in the opposite order: the families with the most checks first.
    label families = refused;
    if (d.own)
      families = out.branch(op::if_equal, af_netlink, only(out, block, 2, {std::int32_t{netlink_route}}), families);
    if (any) families = out.branch(op::if_equal, af_packet, allowed, families);
    if (d.unix_sockets) families = out.branch(op::if_equal, af_unix, allowed, families);
    else if (d.unix_streams)
      families = out.branch(op::if_equal, af_unix, unix_kinds(out, block, {sock_stream, sock_seqpacket}), families);
    families = out.branch(op::if_equal, af_inet6, internet, families);
    families = out.branch(op::if_equal, af_inet, internet, families);
    return out.load(offset_of_argument(0), families);
  }

  /// A datagram pair can address any named socket, so it is decided like a named socket.
  template <class Blocks> constexpr label socketpair_kind(assembler& out, Blocks& block) const {
    using namespace constants;
    const label pairs = d.network && d.unix_sockets ? unix_kinds(out, block, {sock_stream, sock_seqpacket, sock_dgram})
                                                    : unix_kinds(out, block, {sock_stream, sock_seqpacket});
    return out.load(offset_of_argument(0), out.branch(op::if_equal, af_unix, pairs, block(disposition::refuse)));
  }
};

} // namespace cordon::seccomp
