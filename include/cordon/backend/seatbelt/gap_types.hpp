// SPDX-License-Identifier: BSL-1.0
/// The gap types of a sandbox profile.
#pragma once

#include "../../gap/gap_type.hpp"

namespace cordon::seatbelt {

inline constexpr rights every_right = verb::everything; ///< all rights, for gaps that are about any of them

namespace gaps {

/// A gap of this mechanism: ID, kind, extent and description.
///@{

inline constexpr gap_type root_listing{
    "seatbelt.root_listing",
    gap_kind::unenforced,
    right::list,
    gap_extent::place,
    {},
    "the names in the root directory can be listed: macOS starts no program that cannot read them"};
inline constexpr gap_type system{
    "seatbelt.system",
    gap_kind::unenforced,
    right::read | right::list,
    gap_extent::beneath,
    {},
    "every program can read this path: it holds programs of the system, or the loader's cache of libraries"};
inline constexpr gap_type spelling{
    "seatbelt.spelling",
    gap_kind::unenforced,
    every_right,
    gap_extent::beneath,
    {},
    "this path has another name (/tmp is /private/tmp, and so are /var and /etc), and rights granted there hold here; "
    "grant both names the same rights to close this",
    every_right};
inline constexpr gap_type spelling_denied{
    "seatbelt.spelling_denied",
    gap_kind::tightened,
    every_right,
    gap_extent::beneath,
    {},
    "this path has another name (/tmp is /private/tmp, and so are /var and /etc): only rights that both names have "
    "are allowed",
    every_right};
inline constexpr gap_type unwritable{
    "seatbelt.unwritable",
    gap_kind::tightened,
    every_right,
    gap_extent::beneath,
    {},
    "a profile cannot contain a path with a control character, or longer than 1023 bytes: its grants are left out, "
    "and its restrictions apply to the whole grant around it"};
inline constexpr gap_type ancestors{
    "seatbelt.ancestors",
    gap_kind::tightened,
    right::remove,
    gap_extent::place,
    {},
    "a directory cannot be renamed if a path below must keep its name: the path would leave its rule"};
inline constexpr gap_type links{"seatbelt.links",
                                gap_kind::tightened,
                                {},
                                gap_extent::place,
                                {},
                                "hard links cannot be created: a second name of the file could have other rights"};
inline constexpr gap_type hosts{"seatbelt.hosts",
                                gap_kind::tightened,
                                {},
                                gap_extent::place,
                                process_feature::some_host,
                                "a profile cannot restrict hosts by name: without a gateway no listed host is reached"};
inline constexpr gap_type listen{
    "seatbelt.listen",
    gap_kind::tightened,
    {},
    gap_extent::place,
    process_feature::listen,
    "a profile lists ports one by one: of long ranges only the first 1024 ports can be listened on"};

inline constexpr gap_type own{
    "seatbelt.own",
    gap_kind::tightened,
    {},
    gap_extent::place,
    process_feature::own_sockets,
    "processes of the run can use no sockets among themselves: macOS has one loopback network for all programs"};

///@}

} // namespace gaps

/// The types of gaps that its plans can have.
inline constexpr gap_type gap_types[]{gaps::root_listing, gaps::system,    gaps::spelling, gaps::spelling_denied,
                                      gaps::unwritable,   gaps::ancestors, gaps::links,    gaps::hosts,
                                      gaps::listen,       gaps::own};

} // namespace cordon::seatbelt
