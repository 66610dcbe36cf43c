// SPDX-License-Identifier: BSL-1.0
/// The gap types of WASI runtimes.
#pragma once

#include "../../gap/gap_type.hpp"
#include "rules.hpp"

namespace cordon::wasi {

namespace gaps {

/// A gap of this mechanism: ID, kind, extent and description.
///@{

inline constexpr gap_type programs{
    "wasi.programs",     gap_kind::tightened,    right::run | right::connect,
    gap_extent::beneath, process_feature::spawn, "a module can start no program and connect to no unix socket"};
inline constexpr gap_type network{"wasi.network",
                                  gap_kind::tightened,
                                  {},
                                  gap_extent::beneath,
                                  process_feature::any_host | process_feature::some_host | process_feature::listen |
                                      process_feature::any_port | process_feature::loopback |
                                      process_feature::own_sockets,
                                  "a module has no network"};
inline constexpr gap_type modes{"wasi.modes", gap_kind::tightened,
                                {},           gap_extent::beneath,
                                {},           "owner, mode and extended attributes cannot be changed, only times"};
inline constexpr gap_type root{"wasi.root",
                               gap_kind::tightened,
                               rights_written - right::list - right::attributes,
                               gap_extent::place,
                               {},
                               "only directories can be opened; a granted path itself cannot be created or removed"};
inline constexpr gap_type reduced{"wasi.reduced",
                                  gap_kind::tightened,
                                  rights_written - rights_read,
                                  gap_extent::entry,
                                  {},
                                  "a directory is opened read-write or read-only: this one is opened read-only"};
inline constexpr gap_type dropped{"wasi.dropped",
                                  gap_kind::tightened,
                                  rights_written,
                                  gap_extent::entry,
                                  {},
                                  "a directory cannot be opened with only these rights: it is not opened"};
inline constexpr gap_type parents{"wasi.parents",
                                  gap_kind::tightened,
                                  rights_written,
                                  gap_extent::place,
                                  {},
                                  "a path below has fewer rights: this directory itself is not opened"};
inline constexpr gap_type siblings{
    "wasi.siblings",
    gap_kind::tightened,
    rights_written,
    gap_extent::children,
    {},
    "a path below has fewer rights: of this directory's entries only directories are opened"};
inline constexpr gap_type name{
    "wasi.name", gap_kind::tightened, rights_written, gap_extent::beneath, {}, "the runtime cannot receive this name"};
inline constexpr gap_type escape{
    "wasi.escape",
    gap_kind::unenforced,
    {},
    gap_extent::beneath,
    {},
    "node follows symbolic links out of the directories that it opened, and a module can create them"};

///@}

} // namespace gaps

/// The types of gaps that its plans can have.
inline constexpr gap_type gap_types[]{gaps::programs, gaps::network, gaps::modes,    gaps::root, gaps::reduced,
                                      gaps::dropped,  gaps::parents, gaps::siblings, gaps::name, gaps::escape};

} // namespace cordon::wasi
