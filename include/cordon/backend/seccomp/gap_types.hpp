// SPDX-License-Identifier: BSL-1.0
/// What a filter of system calls cannot say.
#pragma once

#include "../../gap/gap_type.hpp"

namespace cordon::seccomp {

inline constexpr gap_type gap_types[]{
    {"seccomp.missing",
     gap_kind::unenforced,
     rights(),
     gap_extent::beneath,
     {},
     "this kernel filters no system calls: sockets and dangerous calls are open"},
    {"seccomp.baseline",
     gap_kind::tightened,
     rights(),
     gap_extent::beneath,
     {},
     "system calls that change the whole machine, and the flags of files, are refused though no axis forbids them"},
    {"seccomp.connect",
     gap_kind::tightened,
     right::connect,
     gap_extent::beneath,
     {},
     "unix sockets are refused as a whole: this mechanism cannot tell one from another"},
    {"seccomp.hosts",
     gap_kind::tightened,
     rights(),
     gap_extent::beneath,
     {},
     "no host can be reached: nothing here lets some hosts through and others not"},
    {"seccomp.network",
     gap_kind::tightened,
     rights(),
     gap_extent::beneath,
     {},
     "only plain TCP and UDP sockets can be made"},
    {"seccomp.set_id",
     gap_kind::tightened,
     rights(),
     gap_extent::beneath,
     {},
     "no file can be given the set-user-ID bit, which would run it as its owner for anybody who starts it"},
    {"seccomp.listen",
     gap_kind::tightened,
     rights(),
     gap_extent::beneath,
     {},
     "neither connections nor datagrams can be waited for, on any port"},
};

} // namespace cordon::seccomp
