// SPDX-License-Identifier: BSL-1.0
/// The gap types of unveil and pledge.
#pragma once

#include "../../gap/gap_type.hpp"

namespace cordon::unveil {

namespace gaps {

/// A gap of this mechanism: ID, kind, extent and description.
///@{

inline constexpr gap_type read_with_list{
    "unveil.read_with_list",
    gap_kind::tightened,
    right::read | right::list,
    gap_extent::entry,
    {},
    "reading files and listing directories are one permission: a path with only one of the rights gets neither"};
inline constexpr gap_type write_with_attributes{
    "unveil.write_with_attributes",
    gap_kind::tightened,
    right::write | right::attributes,
    gap_extent::entry,
    {},
    "writing and changing attributes are one permission: a path with only one of the rights gets neither"};
inline constexpr gap_type create_with_remove{
    "unveil.create_with_remove",
    gap_kind::tightened,
    right::create | right::remove,
    gap_extent::entry,
    {},
    "creating and removing entries are one permission: a path with only one of the rights gets neither"};
inline constexpr gap_type connect{"unveil.connect",
                                  gap_kind::tightened,
                                  right::connect,
                                  gap_extent::beneath,
                                  {},
                                  "unveil cannot tell unix sockets from writable files: none can be connected to"};
inline constexpr gap_type accounts{
    "unveil.accounts",
    gap_kind::unenforced,
    right::read,
    gap_extent::place,
    {},
    "names of users and groups can be read: the promise getpw, without which no shell starts, bypasses unveil for "
    "them"};
inline constexpr gap_type links{
    "unveil.links",
    gap_kind::unenforced,
    {},
    gap_extent::place,
    {},
    "a hard link to a read-only file can be created in a writable directory and written to there, as far as the "
    "file's owner and mode allow"};
inline constexpr gap_type hosts{"unveil.hosts",
                                gap_kind::tightened,
                                {},
                                gap_extent::place,
                                process_feature::some_host,
                                "pledge opens the network as a whole or not at all: listed hosts are not reached"};
inline constexpr gap_type sockets{
    "unveil.sockets",
    gap_kind::tightened,
    {},
    gap_extent::place,
    process_feature::listen | process_feature::any_port | process_feature::loopback,
    "pledge opens the network as a whole or not at all: without any host there are no ports and no loopback"};
inline constexpr gap_type network{
    "unveil.network",
    gap_kind::unenforced,
    {},
    gap_extent::place,
    process_feature::listen | process_feature::any_port | process_feature::loopback,
    "pledge opens the network as a whole or not at all: any host includes any port and the loopback"};

inline constexpr gap_type own{
    "unveil.own",
    gap_kind::tightened,
    {},
    gap_extent::place,
    process_feature::own_sockets,
    "processes of the run can use no sockets among themselves: pledge cannot tell them from the machine's"};

///@}

} // namespace gaps

inline constexpr gap_type gap_types[]{gaps::read_with_list, ///< the types of gaps that its plans can have
                                      gaps::write_with_attributes,
                                      gaps::create_with_remove,
                                      gaps::connect,
                                      gaps::accounts,
                                      gaps::links,
                                      gaps::hosts,
                                      gaps::sockets,
                                      gaps::network,
                                      gaps::own};

} // namespace cordon::unveil
