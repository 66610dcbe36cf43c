// SPDX-License-Identifier: BSL-1.0
/// The gap types of a filter of system calls.
#pragma once

#include "../../gap/gap_type.hpp"

namespace cordon::seccomp {

namespace gaps {

/// A gap of this mechanism: ID, kind, extent and description.
///@{

inline constexpr gap_type missing{
    "seccomp.missing",
    gap_kind::unenforced,
    rights(),
    gap_extent::beneath,
    {},
    "this kernel has no seccomp filters: sockets and dangerous system calls are not restricted"};
inline constexpr gap_type baseline{
    "seccomp.baseline",
    gap_kind::tightened,
    rights(),
    gap_extent::beneath,
    {},
    "system calls that change the whole machine, or the flags of files, are denied though no axis forbids them"};
inline constexpr gap_type connect{"seccomp.connect",
                                  gap_kind::tightened,
                                  right::connect,
                                  gap_extent::beneath,
                                  {},
                                  "all unix sockets are denied: this mechanism cannot tell one from another"};
inline constexpr gap_type hosts{"seccomp.hosts",
                                gap_kind::tightened,
                                rights(),
                                gap_extent::beneath,
                                {},
                                "no host can be reached: this mechanism cannot allow some hosts and deny others"};
inline constexpr gap_type network{"seccomp.network",
                                  gap_kind::tightened,
                                  rights(),
                                  gap_extent::beneath,
                                  {},
                                  "only TCP and UDP sockets can be created"};
inline constexpr gap_type set_id{
    "seccomp.set_id",
    gap_kind::tightened,
    rights(),
    gap_extent::beneath,
    {},
    "no file can be given the set-user-ID bit, with which every user would run it as its owner"};
inline constexpr gap_type listen{"seccomp.listen",
                                 gap_kind::tightened,
                                 rights(),
                                 gap_extent::beneath,
                                 {},
                                 "the program can accept no connection and wait for no datagram, on any port"};

inline constexpr gap_type own{
    "seccomp.own",
    gap_kind::tightened,
    rights(),
    gap_extent::beneath,
    process_feature::own_sockets,
    "processes of the run can use no sockets among themselves: without a network of the run's own, a filter cannot "
    "tell them from the machine's"};
inline constexpr gap_type own_unix{
    "seccomp.own_unix",
    gap_kind::tightened,
    rights(),
    gap_extent::beneath,
    {},
    "processes of the run can use no unix sockets among themselves, but pairs: a filter cannot read the name that "
    "a program connects to, a directory that is shared with the machine may hold another program's socket, and no "
    "supervisor connects for the program"};
inline constexpr gap_type own_datagrams{
    "seccomp.own_datagrams",
    gap_kind::tightened,
    rights(),
    gap_extent::beneath,
    {},
    "processes of the run can use no unix datagram sockets: sendmsg(2) names the receiver in memory that no filter "
    "reads"};

///@}

} // namespace gaps

/// The types of gaps that its plans can have.
inline constexpr gap_type gap_types[]{gaps::missing,  gaps::baseline,     gaps::connect, gaps::hosts,
                                      gaps::network,  gaps::set_id,       gaps::listen,  gaps::own,
                                      gaps::own_unix, gaps::own_datagrams};

} // namespace cordon::seccomp
