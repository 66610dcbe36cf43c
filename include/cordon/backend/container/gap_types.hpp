// SPDX-License-Identifier: BSL-1.0
/// The gap types of containers.
#pragma once

#include "../mounts/compile.hpp"

namespace cordon::container {

namespace gaps {

/// A gap of this mechanism: ID, kind, extent and description.
///@{

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
inline constexpr gap_type device{"container.device",
                                 gap_kind::tightened,
                                 verb::everything,
                                 gap_extent::beneath,
                                 {},
                                 "a container has no device of the machine's: its control group denies them"};
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
inline constexpr gap_type parents{
    "container.parents",
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
    "below level network no named unix socket can be used: the filter denies creating one"};
inline constexpr gap_type spawn{"container.spawn",
                                gap_kind::unenforced,
                                {},
                                gap_extent::place,
                                process_feature::spawn,
                                "new processes can be started: a Pod cannot carry a filter of system calls"};
inline constexpr gap_type host_network = mounts::host_network("container.host_network");
inline constexpr gap_type private_network{
    "container.private_network",
    gap_kind::tightened,
    {},
    gap_extent::place,
    process_feature::listen | process_feature::any_port | process_feature::loopback,
    "the network is private to the container: its ports cannot be reached from outside, "
    "or it reaches no server of the machine's loopback"};
inline constexpr gap_type listen{
    "container.listen",
    gap_kind::tightened,
    {},
    gap_extent::place,
    process_feature::listen | process_feature::any_port,
    "the program can accept no connection and wait for no datagram, on any port: the filter cannot tell ports apart"};
inline constexpr gap_type own{
    "container.own",
    gap_kind::tightened,
    {},
    gap_extent::place,
    process_feature::own_sockets,
    "a container with a network has no sockets of the run's own: the filter cannot tell them from others"};
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
                                  process_feature::own_sockets,
                                  "a Pod uses the runtime's own seccomp profile, not the policy's"};
inline constexpr gap_type limits{
    "container.limits", gap_kind::unenforced, {}, gap_extent::place, {}, "a Pod has no field for this limit"};

///@}

} // namespace gaps

/// The types of gaps that its plans can have.
inline constexpr gap_type gap_types[]{
    gaps::not_readable, gaps::partial, gaps::mount_point, gaps::private_tree, gaps::connect,
    gaps::run,          gaps::name,    gaps::device,      gaps::mask,         gaps::null,
    gaps::parents,      gaps::sockets, gaps::spawn,       gaps::host_network, gaps::private_network,
    gaps::hosts,        gaps::calls,   gaps::profile,     gaps::limits,       gaps::unknown_call,
    gaps::own,          gaps::listen};

} // namespace cordon::container
