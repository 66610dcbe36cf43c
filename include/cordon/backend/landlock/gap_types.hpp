// SPDX-License-Identifier: BSL-1.0
/// The gap types of Landlock.
#pragma once

#include "../../gap/gap_type.hpp"

namespace cordon::landlock {

namespace gaps {

/// A gap of this mechanism: ID, kind, extent and description.
///@{

inline constexpr gap_type missing{"landlock.missing",
                                  gap_kind::unenforced,
                                  verb::everything,
                                  gap_extent::beneath,
                                  {},
                                  "this kernel has no Landlock: no file rule is enforced"};
inline constexpr gap_type attributes{
    "landlock.attributes",
    gap_kind::unenforced,
    right::attributes,
    gap_extent::beneath,
    {},
    "mode, owner, times and extended attributes of files can be changed without a grant, as far as file permissions "
    "allow"};
inline constexpr gap_type existence{
    "landlock.existence",
    gap_kind::unenforced,
    rights(),
    gap_extent::beneath,
    {},
    "names, sizes and times of files outside the grants can be looked up (stat, readlink)"};
inline constexpr gap_type proc{"landlock.proc",
                               gap_kind::unenforced,
                               rights(),
                               gap_extent::beneath,
                               {},
                               "names and command lines of other processes can be read in /proc"};
inline constexpr gap_type truncation{"landlock.truncate",
                                     gap_kind::unenforced,
                                     rights(),
                                     gap_extent::beneath,
                                     {},
                                     "files outside the grants can be truncated (Landlock ABI below 3)"};
inline constexpr gap_type ioctl{"landlock.ioctl",
                                gap_kind::unenforced,
                                rights(),
                                gap_extent::beneath,
                                {},
                                "ioctl commands of devices are not restricted (Landlock ABI below 5)"};
inline constexpr gap_type signal{"landlock.signal",
                                 gap_kind::unenforced,
                                 rights(),
                                 gap_extent::beneath,
                                 {},
                                 "signals to other processes of this user are not restricted (Landlock ABI below 6)"};
inline constexpr gap_type abstract{"landlock.abstract",
                                   gap_kind::unenforced,
                                   rights(),
                                   gap_extent::beneath,
                                   {},
                                   "abstract unix sockets of other processes can be reached (Landlock ABI below 6)"};
inline constexpr gap_type connect{"landlock.connect",
                                  gap_kind::unenforced,
                                  right::connect,
                                  gap_extent::beneath,
                                  {},
                                  "unix sockets outside the grants can be reached (Landlock ABI below 9)"};
inline constexpr gap_type exceptions{
    "landlock.exceptions",
    gap_kind::unenforced,
    verb::everything,
    gap_extent::beneath,
    {},
    "Landlock cannot subtract rights below a granted directory: the mount view must hide the paths that have fewer"};
inline constexpr gap_type refer{"landlock.refer",
                                gap_kind::tightened,
                                rights(),
                                gap_extent::beneath,
                                {},
                                "entries cannot be moved between directories (Landlock ABI 1)"};
inline constexpr gap_type shared_memory{
    "landlock.shared_memory",
    gap_kind::tightened,
    rights(),
    gap_extent::beneath,
    {},
    "all programs of the machine share /dev/shm, so it is not granted: POSIX semaphores and shared memory cannot be "
    "created"};
inline constexpr gap_type terminals{"landlock.terminals",
                                    gap_kind::tightened,
                                    rights(),
                                    gap_extent::beneath,
                                    {},
                                    "terminals cannot be opened (/dev/tty, /dev/ptmx, /dev/pts)"};
inline constexpr gap_type root{"landlock.root",
                               gap_kind::tightened,
                               right::create | right::remove,
                               gap_extent::place,
                               {},
                               "a granted directory itself cannot be created, removed or renamed"};
inline constexpr gap_type siblings{
    "landlock.siblings",
    gap_kind::tightened,
    verb::everything,
    gap_extent::place,
    {},
    "a path below has fewer rights: this directory itself cannot be listed, no entry can be created or removed "
    "directly in it, and entries that other processes create later are not granted"};
inline constexpr gap_type run_without_read{"landlock.run_without_read",
                                           gap_kind::tightened,
                                           right::run,
                                           gap_extent::beneath,
                                           {},
                                           "a program that may be run but not read cannot be run"};
inline constexpr gap_type create_without_write{"landlock.create_without_write",
                                               gap_kind::tightened,
                                               right::create,
                                               gap_extent::beneath,
                                               {},
                                               "a file that may be created but not written cannot be created"};

inline constexpr gap_type outside{
    "landlock.outside",
    gap_kind::tightened,
    right::connect,
    gap_extent::beneath,
    {},
    "no unix socket of a process outside the run can be connected to: in a view, a rule that allows one would allow "
    "those beneath it that the policy denies"};

///@}

} // namespace gaps

inline constexpr gap_type gap_types[]{gaps::missing, ///< the types of gaps that its plans can have
                                      gaps::attributes,
                                      gaps::existence,
                                      gaps::proc,
                                      gaps::truncation,
                                      gaps::ioctl,
                                      gaps::signal,
                                      gaps::abstract,
                                      gaps::connect,
                                      gaps::exceptions,
                                      gaps::outside,
                                      gaps::refer,
                                      gaps::shared_memory,
                                      gaps::terminals,
                                      gaps::root,
                                      gaps::siblings,
                                      gaps::run_without_read,
                                      gaps::create_without_write};

} // namespace cordon::landlock
