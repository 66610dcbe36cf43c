// SPDX-License-Identifier: BSL-1.0
/// The gap types of bubblewrap.
#pragma once

#include "../mounts/isolation.hpp"

namespace cordon::bubblewrap {

namespace gaps {

/// A gap of this mechanism: ID, kind, extent and description.
///@{

inline constexpr gap_type not_readable = mounts::not_readable("bubblewrap.not_readable");
inline constexpr gap_type partial = mounts::partial("bubblewrap.partial");
inline constexpr gap_type mount_point = mounts::mount_point("bubblewrap.mount_point");
inline constexpr gap_type private_tree = mounts::private_tree("bubblewrap.private_tree");
inline constexpr gap_type connect = mounts::connect("bubblewrap.connect");
inline constexpr gap_type run = mounts::run("bubblewrap.run");
inline constexpr gap_type spawn = mounts::spawn("bubblewrap.spawn");
inline constexpr gap_type own = mounts::own("bubblewrap.own");
inline constexpr gap_type host_network = mounts::host_network("bubblewrap.host_network");
inline constexpr gap_type private_network = mounts::private_network("bubblewrap.private_network");
inline constexpr gap_type hosts{"bubblewrap.hosts",
                                gap_kind::tightened,
                                {},
                                gap_extent::place,
                                process_feature::some_host,
                                "no host can be reached: bwrap does not let some hosts through and others not"};
inline constexpr gap_type device{"bubblewrap.device",
                                 gap_kind::unenforced,
                                 right::attributes,
                                 gap_extent::beneath,
                                 {},
                                 "bwrap mounts no device read-only: its owner can change its mode and its times"};

///@}

} // namespace gaps

/// The gap types that all backends with a private view have.
inline constexpr mounts::isolation_gaps isolation_gaps{.view = {.not_readable = gaps::not_readable,
                                                                .partial = gaps::partial,
                                                                .mount_point = gaps::mount_point,
                                                                .private_tree = gaps::private_tree,
                                                                .connect = gaps::connect,
                                                                .run = &gaps::run},
                                                       .spawn = gaps::spawn,
                                                       .own = gaps::own,
                                                       .host_network = gaps::host_network,
                                                       .private_network = gaps::private_network,
                                                       .hosts = gaps::hosts};

/// The types of gaps that its plans can have.
inline constexpr gap_type gap_types[]{gaps::not_readable,    gaps::partial, gaps::mount_point, gaps::private_tree,
                                      gaps::connect,         gaps::run,     gaps::spawn,       gaps::host_network,
                                      gaps::private_network, gaps::hosts,   gaps::own,         gaps::device};

} // namespace cordon::bubblewrap
