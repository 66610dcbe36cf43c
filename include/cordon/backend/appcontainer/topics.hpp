// SPDX-License-Identifier: BSL-1.0
/// What AppContainers cannot say.
#pragma once

#include "../../gap/gap_type.hpp"

namespace cordon::appcontainer {

namespace topics_of {

inline constexpr rights changes = right::write | right::create | right::remove | right::attributes | right::connect;

inline constexpr topic root{"appcontainer.root",
                            gap_kind::tightened,
                            right::create | right::remove,
                            scope::place,
                            {},
                            "a granted place cannot be made where the directory that holds it is not granted"};
inline constexpr topic drives{"appcontainer.drives",
                              gap_kind::tightened,
                              right::create | right::remove,
                              scope::children,
                              {},
                              "the top of a drive can be neither made nor removed"};
inline constexpr topic way{"appcontainer.way",
                           gap_kind::tightened,
                           right::remove,
                           scope::place,
                           {},
                           "a place beneath may not be removed, so neither can this one be, nor moved"};
inline constexpr topic replace{"appcontainer.replace",
                               gap_kind::unenforced,
                               verb::everything,
                               scope::beneath,
                               {},
                               "the place may be removed; what is made in its stead has what its directory grants",
                               verb::everything};
inline constexpr topic connect{"appcontainer.connect",
                               gap_kind::unenforced,
                               right::connect,
                               scope::beneath,
                               {},
                               "whoever may write to a unix socket's file may connect to it"};
inline constexpr topic connect_alone{"appcontainer.connect_alone",
                                     gap_kind::tightened,
                                     right::connect,
                                     scope::beneath,
                                     {},
                                     "connecting to a unix socket asks for the right to write to its file"};
inline constexpr topic name{"appcontainer.name",
                            gap_kind::tightened,
                            verb::everything,
                            scope::beneath,
                            {},
                            "Windows has no such name, or reads it as another one: nothing is granted there"};
inline constexpr topic system{"appcontainer.system",
                              gap_kind::unenforced,
                              verb::run,
                              scope::beneath,
                              {},
                              "every container may read and run what stands here"};
inline constexpr topic system_locked{"appcontainer.system_locked",
                                     gap_kind::tightened,
                                     changes,
                                     scope::beneath,
                                     {},
                                     "nobody but Windows itself changes what stands here"};
inline constexpr topic packages{"appcontainer.packages",
                                gap_kind::unenforced,
                                {},
                                scope::beneath,
                                {},
                                "what this machine opens to ALL APPLICATION PACKAGES is open, the registry included"};
inline constexpr topic owner{"appcontainer.owner",
                             gap_kind::tightened,
                             {},
                             scope::beneath,
                             {},
                             "owners and access lists cannot be changed, only times, flags and extended attributes"};
inline constexpr topic generic_write{"appcontainer.generic_write",
                                     gap_kind::tightened,
                                     {},
                                     scope::beneath,
                                     {},
                                     "a program that asks for GENERIC_WRITE wants to change attributes too, and is "
                                     "refused here"};
inline constexpr topic hosts{"appcontainer.hosts",
                             gap_kind::tightened,
                             {},
                             scope::beneath,
                             facility::some_host,
                             "no host can be reached: capabilities cannot tell one from another, and no gateway does"};
inline constexpr topic listen{"appcontainer.listen",
                              gap_kind::tightened,
                              {},
                              scope::beneath,
                              facility::listen | facility::any_port,
                              "no port can be listened on: the capability opens every port, and every host as well"};
inline constexpr topic loopback{
    "appcontainer.loopback", gap_kind::tightened, {},
    scope::beneath,          facility::loopback,  "this machine's own servers cannot be reached without an exemption"};
inline constexpr topic private_hosts{"appcontainer.private_hosts",
                                     gap_kind::tightened,
                                     {},
                                     scope::beneath,
                                     {},
                                     "hosts of private networks cannot be reached: that capability lets in as well"};
inline constexpr topic limits{"appcontainer.limits",
                              gap_kind::unenforced,
                              {},
                              scope::beneath,
                              {},
                              "job objects limit neither open files nor the size of files"};

} // namespace topics_of

inline constexpr topic topics[]{
    topics_of::root,          topics_of::way,      topics_of::replace,       topics_of::connect,
    topics_of::connect_alone, topics_of::name,     topics_of::system,        topics_of::system_locked,
    topics_of::packages,      topics_of::owner,    topics_of::generic_write, topics_of::hosts,
    topics_of::listen,        topics_of::loopback, topics_of::private_hosts, topics_of::limits,
    topics_of::drives,
};

} // namespace cordon::appcontainer
