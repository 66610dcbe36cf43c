// SPDX-License-Identifier: BSL-1.0
/// What AppContainers cannot say.
#pragma once

#include "../../gap/gap_type.hpp"

namespace cordon::appcontainer {

namespace gap_types_of {

inline constexpr rights changes = right::write | right::create | right::remove | right::attributes | right::connect;

inline constexpr gap_type root{"appcontainer.root",
                               gap_kind::tightened,
                               right::create | right::remove,
                               gap_extent::place,
                               {},
                               "a granted place cannot be made where the directory that holds it is not granted"};
inline constexpr gap_type drives{"appcontainer.drives",
                                 gap_kind::tightened,
                                 right::create | right::remove,
                                 gap_extent::children,
                                 {},
                                 "the top of a drive can be neither made nor removed"};
inline constexpr gap_type way{"appcontainer.way",
                              gap_kind::tightened,
                              right::remove,
                              gap_extent::place,
                              {},
                              "a place beneath may not be removed, so neither can this one be, nor moved"};
inline constexpr gap_type replace{"appcontainer.replace",
                                  gap_kind::unenforced,
                                  verb::everything,
                                  gap_extent::beneath,
                                  {},
                                  "the place may be removed; what is made in its stead has what its directory grants",
                                  verb::everything};
inline constexpr gap_type connect{"appcontainer.connect",
                                  gap_kind::unenforced,
                                  right::connect,
                                  gap_extent::beneath,
                                  {},
                                  "whoever may write to a unix socket's file may connect to it"};
inline constexpr gap_type connect_alone{"appcontainer.connect_alone",
                                        gap_kind::tightened,
                                        right::connect,
                                        gap_extent::beneath,
                                        {},
                                        "connecting to a unix socket asks for the right to write to its file"};
inline constexpr gap_type name{"appcontainer.name",
                               gap_kind::tightened,
                               verb::everything,
                               gap_extent::beneath,
                               {},
                               "Windows has no such name, or reads it as another one: nothing is granted there"};
inline constexpr gap_type system{"appcontainer.system",
                                 gap_kind::unenforced,
                                 verb::run,
                                 gap_extent::beneath,
                                 {},
                                 "every container may read and run what stands here"};
inline constexpr gap_type system_locked{"appcontainer.system_locked",
                                        gap_kind::tightened,
                                        changes,
                                        gap_extent::beneath,
                                        {},
                                        "nobody but Windows itself changes what stands here"};
inline constexpr gap_type packages{
    "appcontainer.packages",
    gap_kind::unenforced,
    {},
    gap_extent::beneath,
    {},
    "what this machine opens to ALL APPLICATION PACKAGES is open, the registry included"};
inline constexpr gap_type owner{"appcontainer.owner",
                                gap_kind::tightened,
                                {},
                                gap_extent::beneath,
                                {},
                                "owners and access lists cannot be changed, only times, flags and extended attributes"};
inline constexpr gap_type generic_write{"appcontainer.generic_write",
                                        gap_kind::tightened,
                                        {},
                                        gap_extent::beneath,
                                        {},
                                        "a program that asks for GENERIC_WRITE wants to change attributes too, and is "
                                        "refused here"};
inline constexpr gap_type hosts{
    "appcontainer.hosts",
    gap_kind::tightened,
    {},
    gap_extent::beneath,
    process_feature::some_host,
    "no host can be reached: capabilities cannot tell one from another, and no gateway does"};
inline constexpr gap_type listen{"appcontainer.listen",
                                 gap_kind::tightened,
                                 {},
                                 gap_extent::beneath,
                                 process_feature::listen | process_feature::any_port,
                                 "no port can be listened on: the capability opens every port, and every host as well"};
inline constexpr gap_type loopback{"appcontainer.loopback",
                                   gap_kind::tightened,
                                   {},
                                   gap_extent::beneath,
                                   process_feature::loopback,
                                   "this machine's own servers cannot be reached without an exemption"};
inline constexpr gap_type private_hosts{"appcontainer.private_hosts",
                                        gap_kind::tightened,
                                        {},
                                        gap_extent::beneath,
                                        {},
                                        "hosts of private networks cannot be reached: that capability lets in as well"};
inline constexpr gap_type limits{"appcontainer.limits",
                                 gap_kind::unenforced,
                                 {},
                                 gap_extent::beneath,
                                 {},
                                 "job objects limit neither open files nor the size of files"};

} // namespace gap_types_of

inline constexpr gap_type gap_types[]{
    gap_types_of::root,          gap_types_of::way,      gap_types_of::replace,       gap_types_of::connect,
    gap_types_of::connect_alone, gap_types_of::name,     gap_types_of::system,        gap_types_of::system_locked,
    gap_types_of::packages,      gap_types_of::owner,    gap_types_of::generic_write, gap_types_of::hosts,
    gap_types_of::listen,        gap_types_of::loopback, gap_types_of::private_hosts, gap_types_of::limits,
    gap_types_of::drives,
};

} // namespace cordon::appcontainer
