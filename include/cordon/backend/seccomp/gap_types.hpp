// SPDX-License-Identifier: BSL-1.0
/// The gap types of a filter of system calls.
#pragma once

#include "../../gap/gap_type.hpp"

namespace cordon::seccomp {

inline constexpr gap_type gap_types[]{
    {"seccomp.missing",
     gap_kind::unenforced,
     rights(),
     gap_extent::beneath,
     {},
     "this kernel has no seccomp filters: sockets and dangerous system calls are not restricted"},
    {"seccomp.baseline",
     gap_kind::tightened,
     rights(),
     gap_extent::beneath,
     {},
     "system calls that change the whole machine, or the flags of files, are denied though no axis forbids them"},
    {"seccomp.connect",
     gap_kind::tightened,
     right::connect,
     gap_extent::beneath,
     {},
     "all unix sockets are denied: this mechanism cannot tell one from another"},
    {"seccomp.hosts",
     gap_kind::tightened,
     rights(),
     gap_extent::beneath,
     {},
     "no host can be reached: this mechanism cannot allow some hosts and deny others"},
    {"seccomp.network",
     gap_kind::tightened,
     rights(),
     gap_extent::beneath,
     {},
     "only TCP and UDP sockets can be created"},
    {"seccomp.set_id",
     gap_kind::tightened,
     rights(),
     gap_extent::beneath,
     {},
     "no file can be given the set-user-ID bit, with which every user would run it as its owner"},
    {"seccomp.listen",
     gap_kind::tightened,
     rights(),
     gap_extent::beneath,
     {},
     "the program can accept no connection and wait for no datagram, on any port"},
};

} // namespace cordon::seccomp
