// SPDX-License-Identifier: BSL-1.0
/// The gap types of cordon's own namespaces.
#pragma once

#include "../mounts/isolation.hpp"

namespace cordon::namespaces {

namespace gaps {

/// A gap of this mechanism: ID, kind, extent and description.
///@{

inline constexpr gap_type not_readable = mounts::not_readable("namespaces.not_readable");
inline constexpr gap_type partial = mounts::partial("namespaces.partial");
inline constexpr gap_type mount_point = mounts::mount_point("namespaces.mount_point");
inline constexpr gap_type private_tree = mounts::private_tree("namespaces.private_tree");
inline constexpr gap_type connect = mounts::connect("namespaces.connect");
inline constexpr gap_type spawn = mounts::spawn("namespaces.spawn");
inline constexpr gap_type own = mounts::own("namespaces.own");
inline constexpr gap_type host_network = mounts::host_network("namespaces.host_network");
inline constexpr gap_type private_network = mounts::private_network("namespaces.private_network");
inline constexpr gap_type hosts{
    "namespaces.hosts",
    gap_kind::tightened,
    {},
    gap_extent::place,
    process_feature::some_host,
    "no host can be reached: without a gateway nothing lets some hosts through and others not"};

///@}

} // namespace gaps

/// The types of gaps about isolation.
inline constexpr mounts::isolation_gaps isolation_gaps{.view = {.not_readable = gaps::not_readable,
                                                                .partial = gaps::partial,
                                                                .mount_point = gaps::mount_point,
                                                                .private_tree = gaps::private_tree,
                                                                .connect = gaps::connect},
                                                       .spawn = gaps::spawn,
                                                       .own = gaps::own,
                                                       .host_network = gaps::host_network,
                                                       .private_network = gaps::private_network,
                                                       .hosts = gaps::hosts};

/// The types of gaps that its plans can have.
inline constexpr gap_type gap_types[]{gaps::not_readable, gaps::partial, gaps::mount_point,  gaps::private_tree,
                                      gaps::connect,      gaps::spawn,   gaps::host_network, gaps::private_network,
                                      gaps::hosts,        gaps::own};

} // namespace cordon::namespaces
