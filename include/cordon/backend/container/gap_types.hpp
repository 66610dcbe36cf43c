// SPDX-License-Identifier: BSL-1.0
/// What containers cannot say.
#pragma once

#include "../mounts/compile.hpp"

namespace cordon::container {

namespace gap_types_of {

inline constexpr gap_type not_readable = mounts::not_readable("container.blind");
inline constexpr gap_type partial = mounts::partial("container.part");
inline constexpr gap_type mount_point = mounts::mount_point("container.busy");
inline constexpr gap_type private_tree = mounts::private_tree("container.own");
inline constexpr gap_type connect = mounts::connect("container.connect");
inline constexpr gap_type run = mounts::run("container.run");
inline constexpr gap_type name{
    "container.name",
    gap_kind::tightened,
    verb::everything,
    gap_extent::beneath,
    {},
    "a name that is no UTF-8 cannot stand in JSON, nor a colon in a Kubernetes mount: it has what is around it"};
inline constexpr gap_type mask{
    "container.mask",
    gap_kind::unenforced,
    right::list,
    gap_extent::place,
    {},
    "what is hidden inside something shown is an empty directory of the mode of what it hides, and "
    "can be listed as empty; in a Pod the names of what is shown inside it can be listed too"};
inline constexpr gap_type null{
    "container.null",
    gap_kind::unenforced,
    right::read | right::write,
    gap_extent::place,
    {},
    "a file that is hidden inside something shown is /dev/null: it opens, is empty, and forgets what is written to it"};
inline constexpr gap_type way{
    "container.way",
    gap_kind::unenforced,
    right::list,
    gap_extent::place,
    {},
    "directories on the way to what is granted are the image's: their names, all from the policy "
    "or the image, can be listed"};
inline constexpr gap_type sockets{
    "container.sockets",
    gap_kind::tightened,
    right::connect,
    gap_extent::beneath,
    {},
    "no unix socket can be connected to below level network: the filter refuses to make one"};
inline constexpr gap_type spawn{"container.spawn",
                                gap_kind::unenforced,
                                {},
                                gap_extent::place,
                                process_feature::spawn,
                                "new processes can be started: a Pod cannot carry a filter of system calls"};
inline constexpr gap_type machine = mounts::machine("container.machine");
inline constexpr gap_type ports{
    "container.ports",
    gap_kind::unenforced,
    {},
    gap_extent::place,
    process_feature::listen | process_feature::any_port,
    "a container on a network can listen on any port, for the machine and its other containers"};
inline constexpr gap_type inside{"container.private",
                                 gap_kind::tightened,
                                 {},
                                 gap_extent::place,
                                 process_feature::listen | process_feature::any_port | process_feature::loopback,
                                 "the network is the container's own: nobody reaches a port that is listened on from "
                                 "outside, or no server of the machine's loopback is reached"};
inline constexpr gap_type hosts{
    "container.hosts",
    gap_kind::tightened,
    {},
    gap_extent::place,
    process_feature::some_host,
    "no host can be reached: a container's network does not tell hosts apart by their names"};
inline constexpr gap_type calls{
    "container.calls",
    gap_kind::unenforced,
    {},
    gap_extent::place,
    {},
    "a call that the runtime's libseccomp has no name for passes, unless system calls are strict"};
inline constexpr gap_type unknown_call{"container.unknown_call",
                                       gap_kind::unenforced,
                                       {},
                                       gap_extent::place,
                                       {},
                                       "no machine has a system call of this name: that it is denied denies nothing"};
inline constexpr gap_type profile{"container.profile",
                                  gap_kind::unenforced,
                                  {},
                                  gap_extent::place,
                                  {},
                                  "a Pod names the runtime's own profile of system calls, which is not the policy's"};
inline constexpr gap_type limits{"container.limits",           gap_kind::unenforced, {}, gap_extent::place, {},
                                 "a Pod cannot say this limit"};

} // namespace gap_types_of

inline constexpr gap_type gap_types[]{
    gap_types_of::not_readable, gap_types_of::partial, gap_types_of::mount_point, gap_types_of::private_tree,
    gap_types_of::connect,      gap_types_of::run,     gap_types_of::name,        gap_types_of::mask,
    gap_types_of::null,         gap_types_of::way,     gap_types_of::sockets,     gap_types_of::spawn,
    gap_types_of::machine,      gap_types_of::ports,   gap_types_of::inside,      gap_types_of::hosts,
    gap_types_of::calls,        gap_types_of::profile, gap_types_of::limits,      gap_types_of::unknown_call};

} // namespace cordon::container
