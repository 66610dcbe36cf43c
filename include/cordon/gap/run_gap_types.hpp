// SPDX-License-Identifier: BSL-1.0
/// The gap types of a run: gaps that no compiler of rules finds, because they depend on how a program is started and
/// watched, and on the files that exist.
#pragma once

#include "gap_type.hpp"

namespace cordon {

namespace run_gaps {

/// A gap of a run: ID, kind, extent and description.
///@{

inline constexpr gap_type tree_daemons{"tree.daemons",
                                       gap_kind::unenforced,
                                       rights(),
                                       gap_extent::beneath,
                                       {},
                                       "processes that the program has started outlive cordon if SIGKILL ends "
                                       "cordon, and so does the program if it has asked for that"};
inline constexpr gap_type tree_session{
    "tree.session",
    gap_kind::unenforced,
    rights(),
    gap_extent::beneath,
    {},
    "a process that leaves its session and its parents outlives the run: neither a pid namespace nor a "
    "control group holds it"};
inline constexpr gap_type tree_launcher{
    "tree.launcher",
    gap_kind::unenforced,
    rights(),
    gap_extent::beneath,
    {},
    "if the embedding process is killed, the program continues: no pid namespace ends it"};
inline constexpr gap_type network_host_loopback{"network.host_loopback",
                                                gap_kind::unenforced,
                                                rights(),
                                                gap_extent::beneath,
                                                process_feature::loopback,
                                                "if any host may be reached, the network is the machine's: the program "
                                                "can reach its local servers and receive datagrams on its ports"};
inline constexpr gap_type network_low_ports{
    "network.low_ports",
    gap_kind::tightened,
    rights(),
    gap_extent::beneath,
    {},
    "processes of the run can bind no port below 1024 of their own network: its setting is read-only here"};
inline constexpr gap_type sockets_peer_pid{
    "sockets.peer_pid",
    gap_kind::tightened,
    rights(),
    gap_extent::beneath,
    {},
    "a server of the run that reads the process ID of a client gets cordon's, which connects for the program"};
inline constexpr gap_type session_tmp{"session.tmp",
                                      gap_kind::tightened,
                                      rights(),
                                      gap_extent::beneath,
                                      {},
                                      "the session keeps TMPDIR and caches alone: /tmp is not its directory here, "
                                      "since the view is another's, or has files of the policy below /tmp"};
inline constexpr gap_type core_handler{
    "core.handler",
    gap_kind::unenforced,
    rights(),
    gap_extent::beneath,
    {},
    "kernel.core_pattern names a handler outside the sandbox, which receives the memory of a program that crashes; "
    "start cordon with a hard limit of core files above 0 (ulimit -Hc), or set core_pattern to a file name"};
/// Subject: the number of the file descriptor.
inline constexpr gap_type stdio_reopen{
    "stdio.reopen",
    gap_kind::unenforced,
    rights(),
    gap_extent::beneath,
    {},
    "stdin is a pipe of the caller's, which the program can open for writing by /proc/self/fd/0; the input "
    "relay gives it one of cordon's"};
/// Subject: the path. The report adds the number of names.
inline constexpr gap_type files_second_name{
    "files.second_name",
    gap_kind::unenforced,
    verb::everything,
    gap_extent::beneath,
    {},
    "files have other names (hard links) elsewhere: what the policy takes away here, it leaves where another name "
    "is granted"};
/// Subject: the pattern. The report adds the number of paths that matched.
inline constexpr gap_type files_later{
    "files.later",
    gap_kind::unenforced,
    verb::everything,
    gap_extent::beneath,
    {},
    "what matches the pattern after the policy was resolved has the rights of the directory around it"};
/// Subject: the path.
inline constexpr gap_type files_private{
    "files.private",
    gap_kind::unenforced,
    right::read | right::list,
    gap_extent::beneath,
    {},
    "the policy hides a part of what every program gets, such as /dev/null or /proc/self, and no mechanism here takes "
    "that away"};
/// Subject: the preset. The explanation continues with the risk of that service.
inline constexpr gap_type service_granted{
    "service.granted",
    gap_kind::unenforced,
    right::connect | right::write,
    gap_extent::beneath,
    {},
    "a service of the caller or a driver does for the program what no policy confines"};
/// Subject: the preset.
inline constexpr gap_type service_missing{
    "service.missing",
    gap_kind::tightened,
    right::connect,
    gap_extent::beneath,
    {},
    "no socket or device of the service exists where its clients look for it: the preset grants nothing"};
/// Subject: the file, or the root of the project.
inline constexpr gap_type project_settings{
    "project.settings",
    gap_kind::unenforced,
    rights(),
    gap_extent::beneath,
    {},
    "the program may change settings of the project on which other programs act by themselves, such as hooks of git "
    "and tasks of editors: no mechanism here protects them, or a symbolic link has their name"};
/// Subject: the file.
inline constexpr gap_type policy_writable{
    "policy.writable",
    gap_kind::unenforced,
    rights(),
    gap_extent::beneath,
    {},
    "the program may change this file, a directory or link on the way to it, or another name of it (hard link): "
    "keep policies, keys, records and reports, which are believed after the run, outside of what the policy "
    "grants for writing"};
inline constexpr gap_type guard_children{
    "guard.children",
    gap_kind::unenforced,
    rights(),
    gap_extent::beneath,
    {},
    "the list of executables holds for the first program alone: what that starts is not limited here"};
inline constexpr gap_type guard_code{
    "guard.code",
    gap_kind::unenforced,
    rights(),
    gap_extent::beneath,
    {},
    "a listed program may run code that it reads or carries: a loader (ld.so FILE), an interpreter, memory"};
inline constexpr gap_type guard_interpreters{
    "guard.interpreters",
    gap_kind::unenforced,
    rights(),
    gap_extent::beneath,
    {},
    "an interpreter that the program itself starts is not refused: list the executables"};
/// Subject: a file or registry key.
inline constexpr gap_type appcontainer_journal{
    "appcontainer.journal",
    gap_kind::tightened,
    rights(),
    gap_extent::beneath,
    {},
    "its access list is still as a run left it; the next run tries again to put it back"};
/// Subject: a file or registry key.
inline constexpr gap_type appcontainer_changed{
    "appcontainer.changed",
    gap_kind::tightened,
    rights(),
    gap_extent::beneath,
    {},
    "another process has changed its access list meanwhile: only the container's entries were removed"};

///@}

} // namespace run_gaps

/// Gap types that no compiler finds: they depend on the run.
inline constexpr gap_type run_gap_types[]{
    run_gaps::tree_daemons,          run_gaps::tree_session,         run_gaps::tree_launcher,
    run_gaps::network_host_loopback, run_gaps::network_low_ports,    run_gaps::sockets_peer_pid,
    run_gaps::session_tmp,           run_gaps::core_handler,         run_gaps::stdio_reopen,
    run_gaps::files_second_name,     run_gaps::files_later,          run_gaps::policy_writable,
    run_gaps::files_private,         run_gaps::project_settings,     run_gaps::service_granted,
    run_gaps::service_missing,       run_gaps::guard_children,       run_gaps::guard_code,
    run_gaps::guard_interpreters,    run_gaps::appcontainer_journal, run_gaps::appcontainer_changed};

} // namespace cordon
