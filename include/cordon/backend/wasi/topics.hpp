// SPDX-License-Identifier: BSL-1.0
/// What WASI runtimes cannot say.
#pragma once

#include "../../gap/gap_type.hpp"
#include "rules.hpp"

namespace cordon::wasi {

namespace topics_of {

inline constexpr topic programs{
    "wasi.programs", gap_kind::tightened, right::run | right::connect,
    scope::beneath,  facility::spawn,     "a module starts no program and connects to no unix socket"};
inline constexpr topic network{"wasi.network",
                               gap_kind::tightened,
                               {},
                               scope::beneath,
                               facility::any_host | facility::some_host | facility::listen | facility::any_port |
                                   facility::loopback,
                               "a module has no network"};
inline constexpr topic modes{"wasi.modes", gap_kind::tightened,
                             {},           scope::beneath,
                             {},           "owner, mode and extended attributes cannot be changed, only times"};
inline constexpr topic root{"wasi.root",
                            gap_kind::tightened,
                            rights_written - right::list - right::attributes,
                            scope::place,
                            {},
                            "only directories can be opened, and not made or removed themselves"};
inline constexpr topic reduced{"wasi.reduced",
                               gap_kind::tightened,
                               rights_written - rights_read,
                               scope::entry,
                               {},
                               "a directory is opened for everything or for reading: it is opened for reading"};
inline constexpr topic dropped{"wasi.dropped",
                               gap_kind::tightened,
                               rights_written,
                               scope::entry,
                               {},
                               "a directory cannot be opened for just these rights: it is not opened"};
inline constexpr topic way{"wasi.way",
                           gap_kind::tightened,
                           rights_written,
                           scope::place,
                           {},
                           "a place beneath has fewer rights: this directory is not opened itself"};
inline constexpr topic siblings{"wasi.siblings",
                                gap_kind::tightened,
                                rights_written,
                                scope::children,
                                {},
                                "a place beneath has fewer rights: of what stands here only directories are opened"};
inline constexpr topic name{
    "wasi.name", gap_kind::tightened, rights_written, scope::beneath, {}, "the runtime cannot be told this name"};
inline constexpr topic escape{"wasi.escape",
                              gap_kind::unenforced,
                              {},
                              scope::beneath,
                              {},
                              "node follows links out of the directories that it opened, and a module can make links"};

} // namespace topics_of

inline constexpr topic topics[]{topics_of::programs, topics_of::network, topics_of::modes, topics_of::root,
                                topics_of::reduced,  topics_of::dropped, topics_of::way,   topics_of::siblings,
                                topics_of::name,     topics_of::escape};

} // namespace cordon::wasi
