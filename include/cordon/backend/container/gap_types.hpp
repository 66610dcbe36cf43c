// SPDX-License-Identifier: BSL-1.0
/// The gap types of containers.
#pragma once

#include "../mounts/compile.hpp"

namespace cordon::container {

namespace gap_types_of {

inline constexpr gap_type not_readable = mounts::not_readable("container.not_readable");
inline constexpr gap_type partial = mounts::partial("container.partial");
inline constexpr gap_type mount_point = mounts::mount_point("container.mount_point");
inline constexpr gap_type private_tree = mounts::private_tree("container.private_tree");
inline constexpr gap_type connect = mounts::connect("container.connect");
inline constexpr gap_type run = mounts::run("container.run");
inline constexpr gap_type name{"container.name",
                               gap_kind::tightened,
                               verb::everything,
                               gap_extent::beneath,
                               {},
                               "JSON cannot contain a name that is not UTF-8, nor a Kubernetes mount a colon: the path "
                               "has the rights of the directory around it"};
inline constexpr gap_type mask{"container.mask",
                               gap_kind::unenforced,
                               right::list,
                               gap_extent::place,
                               {},
                               "a hidden directory inside a shown one is an empty directory of the same mode, and can "
                               "be listed as empty; in a Pod the names of what is shown inside it can be listed too"};
inline constexpr gap_type null{"container.null",
                               gap_kind::unenforced,
                               right::read | right::write,
                               gap_extent::place,
                               {},
                               "a hidden file inside a shown directory is /dev/null: it can be opened, is empty, and "
                               "discards what is written to it"};
inline constexpr gap_type way{"container.parents",
                              gap_kind::unenforced,
                              right::list,
                              gap_extent::place,
                              {},
                              "parent directories of granted paths are the image's: their names, all from the policy "
                              "or the image, can be listed"};
inline constexpr gap_type sockets{
    "container.sockets",
    gap_kind::tightened,
    right::connect,
    gap_extent::beneath,
    {},
    "below level network no unix socket can be connected to: the filter denies creating one"};
inline constexpr gap_type spawn{"container.spawn",
                                gap_kind::unenforced,
                                {},
                                gap_extent::place,
                                process_feature::spawn,
                                "new processes can be started: a Pod cannot carry a filter of system calls"};
inline constexpr gap_type machine = mounts::machine("container.host_network");
inline constexpr gap_type ports{
    "container.ports",
    gap_kind::unenforced,
    {},
    gap_extent::place,
    process_feature::listen | process_feature::any_port,
    "a container with a network can listen on any port, which the machine and its other containers can reach"};
inline constexpr gap_type inside{"container.private_network",
                                 gap_kind::tightened,
                                 {},
                                 gap_extent::place,
                                 process_feature::listen | process_feature::any_port | process_feature::loopback,
                                 "the network is private to the container: its ports cannot be reached from outside, "
                                 "or it reaches no server of the machine's loopback"};
inline constexpr gap_type hosts{"container.hosts",
                                gap_kind::tightened,
                                {},
                                gap_extent::place,
                                process_feature::some_host,
                                "no host can be reached: a container's network cannot restrict hosts by their names"};
inline constexpr gap_type calls{
    "container.calls",
    gap_kind::unenforced,
    {},
    gap_extent::place,
    {},
    "the runtime's libseccomp does not know this system call: it is allowed, unless system calls are strict"};
inline constexpr gap_type unknown_call{"container.unknown_call",
                                       gap_kind::unenforced,
                                       {},
                                       gap_extent::place,
                                       {},
                                       "no machine has a system call of this name: denying it has no effect"};
inline constexpr gap_type profile{"container.profile",
                                  gap_kind::unenforced,
                                  {},
                                  gap_extent::place,
                                  {},
                                  "a Pod uses the runtime's own seccomp profile, not the policy's"};
inline constexpr gap_type limits{
    "container.limits", gap_kind::unenforced, {}, gap_extent::place, {}, "a Pod has no field for this limit"};

} // namespace gap_types_of

inline constexpr gap_type gap_types[]{
    gap_types_of::not_readable, gap_types_of::partial, gap_types_of::mount_point, gap_types_of::private_tree,
    gap_types_of::connect,      gap_types_of::run,     gap_types_of::name,        gap_types_of::mask,
    gap_types_of::null,         gap_types_of::way,     gap_types_of::sockets,     gap_types_of::spawn,
    gap_types_of::machine,      gap_types_of::ports,   gap_types_of::inside,      gap_types_of::hosts,
    gap_types_of::calls,        gap_types_of::profile, gap_types_of::limits,      gap_types_of::unknown_call};

} // namespace cordon::container
