// SPDX-License-Identifier: BSL-1.0
/// The gap types of AppContainers.
#pragma once

#include "../../gap/gap_type.hpp"

namespace cordon::appcontainer {

namespace gaps {

/// A gap of this mechanism: ID, kind, extent and description.
///@{

inline constexpr rights changes = right::write | right::create | right::remove | right::attributes | right::connect;

inline constexpr gap_type root{"appcontainer.root",
                               gap_kind::tightened,
                               right::create | right::remove,
                               gap_extent::place,
                               {},
                               "a granted path cannot be created if the directory that holds it is not granted"};
inline constexpr gap_type drives{"appcontainer.drives",
                                 gap_kind::tightened,
                                 right::create | right::remove,
                                 gap_extent::children,
                                 {},
                                 "the root directory of a drive can be neither created nor removed"};
inline constexpr gap_type pinned{"appcontainer.pinned",
                                 gap_kind::tightened,
                                 right::remove,
                                 gap_extent::place,
                                 {},
                                 "a path below may not be removed, so this one can be neither removed nor moved"};
inline constexpr gap_type replace{"appcontainer.replace",
                                  gap_kind::unenforced,
                                  verb::everything,
                                  gap_extent::beneath,
                                  {},
                                  "the path can be removed; what replaces it has the rights that its directory grants",
                                  verb::everything};
inline constexpr gap_type connect{"appcontainer.connect",
                                  gap_kind::unenforced,
                                  right::connect,
                                  gap_extent::beneath,
                                  {},
                                  "a program that can write to a unix socket's file can connect to it"};
inline constexpr gap_type connect_alone{"appcontainer.connect_alone",
                                        gap_kind::tightened,
                                        right::connect,
                                        gap_extent::beneath,
                                        {},
                                        "connecting to a unix socket requires the right to write to its file"};
inline constexpr gap_type name{"appcontainer.name",
                               gap_kind::tightened,
                               verb::everything,
                               gap_extent::beneath,
                               {},
                               "Windows has no such name, or treats it as another one: nothing is granted there"};
inline constexpr gap_type system{"appcontainer.system",
                                 gap_kind::unenforced,
                                 verb::run,
                                 gap_extent::beneath,
                                 {},
                                 "every AppContainer can read and run this path"};
inline constexpr gap_type system_locked{
    "appcontainer.system_locked",           gap_kind::tightened, changes, gap_extent::beneath, {},
    "only Windows itself changes this path"};
inline constexpr gap_type packages{
    "appcontainer.packages",
    gap_kind::unenforced,
    {},
    gap_extent::beneath,
    {},
    "files and registry keys that this machine opens to ALL APPLICATION PACKAGES are open"};
inline constexpr gap_type owner{"appcontainer.owner",
                                gap_kind::tightened,
                                {},
                                gap_extent::beneath,
                                {},
                                "owners and access lists cannot be changed, only times, flags and extended attributes"};
inline constexpr gap_type generic_write{
    "appcontainer.generic_write",
    gap_kind::tightened,
    {},
    gap_extent::beneath,
    {},
    "GENERIC_WRITE includes the right to change attributes: opening a file with it is refused here"};
inline constexpr gap_type hosts{
    "appcontainer.hosts",
    gap_kind::tightened,
    {},
    gap_extent::beneath,
    process_feature::some_host,
    "no listed host can be reached: capabilities cannot tell hosts apart, and there is no gateway"};
inline constexpr gap_type listen{
    "appcontainer.listen",
    gap_kind::tightened,
    {},
    gap_extent::beneath,
    process_feature::listen | process_feature::any_port,
    "no port can be listened on: the capability would open every port, and every host as well"};
inline constexpr gap_type loopback{"appcontainer.loopback",
                                   gap_kind::tightened,
                                   {},
                                   gap_extent::beneath,
                                   process_feature::loopback,
                                   "servers of this machine cannot be reached without a loopback exemption"};
inline constexpr gap_type private_hosts{
    "appcontainer.private_hosts",
    gap_kind::tightened,
    {},
    gap_extent::beneath,
    {},
    "hosts of private networks cannot be reached: the capability would accept their connections as well"};
inline constexpr gap_type limits{"appcontainer.limits",
                                 gap_kind::unenforced,
                                 {},
                                 gap_extent::beneath,
                                 {},
                                 "job objects limit neither open files nor the size of files"};

inline constexpr gap_type own{"appcontainer.own",
                              gap_kind::tightened,
                              {},
                              gap_extent::beneath,
                              process_feature::own_sockets,
                              "processes of the run can use no sockets among themselves: capabilities cannot tell them "
                              "from others"};

///@}

} // namespace gaps

/// The gap types of this backend.
inline constexpr gap_type gap_types[]{
    gaps::root,   gaps::pinned,        gaps::replace,       gaps::connect, gaps::connect_alone, gaps::name,
    gaps::system, gaps::system_locked, gaps::packages,      gaps::owner,   gaps::generic_write, gaps::hosts,
    gaps::listen, gaps::loopback,      gaps::private_hosts, gaps::limits,  gaps::drives,        gaps::own,
};

} // namespace cordon::appcontainer
