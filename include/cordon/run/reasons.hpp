// SPDX-License-Identifier: BSL-1.0
/// Every reason for which cordon refuses to start a program, or starts it without confinement.
///
/// A text says what failed, why, and what to do. Each `{}` in it is the place of a value. Texts may change; an ID never
/// changes its meaning, so programs and tests compare IDs.
#pragma once

#include "reason.hpp"

namespace cordon::reasons {

/// A reason: its ID, and its text.
///@{

// The request

inline constexpr reason argv_empty{"request.argv_empty",
                                   "no program is given: argv is empty; its first entry names the program"};
inline constexpr reason program_empty{"request.program_empty",
                                      "no program is given: the first entry of argv is empty; it names the program"};
inline constexpr reason nul_byte{"request.nul_byte",
                                 "{} has a NUL byte, where the system would cut it off; leave the byte out"};
inline constexpr reason taken_before{"request.taken_before", "the report of this run has been taken before"};
inline constexpr reason pool_owns_process{
    "request.pool_owns_process",
    "a request of a run_pool cannot own the process, which other runs share; leave owns_process out"};
inline constexpr reason moved_from{"request.moved_from", "this run has been moved to another object"};
inline constexpr reason input_pipe{"request.input_pipe",
                                   "input::pipe is supported on Linux alone; give the whole input with input::of"};
inline constexpr reason gateway_port{"request.gateway_port", "gateway_port is supported on macOS alone; leave it out"};
inline constexpr reason gateway_unused{
    "request.gateway_unused",
    "a gateway is for a confined run whose policy lists hosts: this one has none, or reaches all; leave it out"};

// The choice between confined, unconfined and refused (selection.hpp)

inline constexpr reason sandbox_variable{"selection.variable", "CORDON_SANDBOX must be off, warn or enforce"};
inline constexpr reason fallback_looser{
    "selection.fallback",
    "the fallback asked for is looser than the one in force; ask for that one, or a stricter one"};
inline constexpr reason profile_looser{
    "selection.profile", "the profile asked for is looser than the policy's; ask for that one, or a stricter one"};
inline constexpr reason profile_wasi{"selection.wasi",
                                     "profile wasi never starts a host program; run it under a WASI runtime"};
inline constexpr reason profile_unrestricted{"selection.unrestricted", "the profile is unrestricted"};
inline constexpr reason hardened_unconfined{
    "selection.hardened_unconfined",
    "profile os_hardened is never run without confinement; choose another profile or a backend that works here"};
inline constexpr reason none_not_allowed{
    "selection.none_not_allowed",
    "a run without confinement needs CORDON_ALLOW_NO_SANDBOX=1 in the environment as well"};
inline constexpr reason none_under_enforce{
    "selection.none_under_enforce",
    "fallback enforce does not allow a run without confinement; choose a backend that confines"};
inline constexpr reason none_asked_for{"selection.none", "a run without confinement was asked for"};
inline constexpr reason hardened_unavailable{
    "selection.hardened_unavailable",
    "profile os_hardened needs a mechanism that this host lacks; cordon doctor says which, and the remedy"};
inline constexpr reason fallback_off{"selection.off", "the fallback is off"};
inline constexpr reason backend_unavailable{"selection.backend_unavailable",
                                            "the backend asked for is not available here; cordon doctor says why"};
inline constexpr reason policy_enforces{
    "selection.policy_enforces",
    "no mechanism of confinement works here as a whole, and the policy says fallback enforce; cordon doctor says why"};
inline constexpr reason none_works{
    "selection.none_works", "no mechanism of confinement works here as a whole, and the fallback is enforce; cordon "
                            "doctor says why, CORDON_SANDBOX=warn starts with the mechanisms that work"};
inline constexpr reason reduced{"selection.reduced",
                                "no mechanism of confinement works here as a whole; cordon doctor says why"};
inline constexpr reason untried{"selection.untried", "{}"};
inline constexpr reason egress_unconfined{"selection.egress",
                                          "egress strict: nothing here keeps the program from hosts that the policy "
                                          "does not allow; start it confined, or with egress preflight"};
inline constexpr reason gaps_not_accepted{
    "selection.gaps", "profile os_hardened: this host cannot enforce the following; accept each gap by its ID:{}"};

// The program

inline constexpr reason level_starts_none{"program.level", "level {} starts no process; it takes process_exec"};
inline constexpr reason no_capability{
    "program.capability", "the policy does not grant the capability process.exec; add it to the clause capabilities"};
inline constexpr reason program_not_granted{"program.not_granted",
                                            "the policy does not let {} be run; grant it with a clause run {}"};
inline constexpr reason directory_not_granted{
    "program.directory",
    "the current directory {} lies outside every granted place; grant it, or name another directory"};
inline constexpr reason other_owner{
    "program.owner", "{} belongs to user {}, where a confined root can write nothing; run as that user, with "
                     "user ID {} and group ID {}"};
inline constexpr reason start_failed{"program.start", "{}"};
inline constexpr reason stage_failed{"program.stage", "cannot start the program: stage {}: {}"};
inline constexpr reason proc_missing{"program.proc",
                                     "/proc is not mounted: where a name leads cannot be seen; mount it"};
inline constexpr reason sigchld_ignored{
    "program.sigchld", "this process ignores SIGCHLD, so no exit status can be read; restore its default"};

// The guard

inline constexpr reason guard_refuses{"guard.argument", "the guard refuses {}: {}"};
inline constexpr reason host_refused{"guard.host", "a requested host is refused: {}"};

// The policy

inline constexpr reason policy_denies_exec{
    "policy.exec", "the policy denies execveat and execve, and no program begins without either; allow one of them"};
inline constexpr reason unknown_call{"policy.call",
                                     "the policy denies {}, which is no system call; cordon check lists positions"};
inline constexpr reason policy_no_root{
    "policy.no_root",
    "the document names no workspace root, so nothing would limit what is read and written; name one in "
    "workspace_roots, or give load_policy the project's (host_facts::project)"};
inline constexpr reason policy_too_large{"policy.size",
                                         "the policy is too large for {}; grant directories instead of their files"};
inline constexpr reason strict_without_seccomp{
    "policy.strict", "syscalls strict: this kernel cannot filter system calls; cordon doctor shows the reason"};
inline constexpr reason policy_not_here{"policy.system",
                                        "{} has no name on Windows, and less than all of it means more; "
                                        "leave it out of a policy for Windows"};
inline constexpr reason policy_place_twice{"policy.place_twice",
                                           "{} is one place with another one on Windows; name it once"};
inline constexpr reason policy_variable_case{"policy.variable_case",
                                             "the policy names the variable {}; on Windows names are the same ones in "
                                             "any case, and policies have them in capitals"};
inline constexpr reason policy_grants_root{
    "policy.root", "the policy grants /, which would change the access lists of whole drives; name places on them"};
inline constexpr reason policy_writes_journals{
    "policy.journals", "the policy lets the program write {}, where cordon keeps what access lists were before a run; "
                       "take it out of what is granted"};
inline constexpr reason policy_reads_key{"policy.key", "the policy lets the program read the key {}; hide it"};
inline constexpr reason policy_not_utf8{
    "policy.utf8", "a path or a variable of the policy is not UTF-8, which a record cannot hold; write no record"};

// Paths and links

inline constexpr reason path_missing{"path.missing",
                                     "the policy grants {}, which does not exist; create it, or leave it out"};
inline constexpr reason path_dangling{
    "path.dangling", "the policy grants {}, a link that leads nowhere; correct the link, or leave it out"};
inline constexpr reason path_unresolved{
    "path.unresolved",
    "the policy grants {}, which cannot be resolved: {}; grant it by a path that can be, or leave it out"};
inline constexpr reason path_unknown{"path.unknown",
                                     "{} cannot be looked up: {}; correct the path, or run as a user who can"};
inline constexpr reason path_not_opened{"path.not_opened",
                                        "{} cannot be opened: {}; make it readable, or leave it out"};
inline constexpr reason path_not_looked_at{"path.not_looked_at",
                                           "{} cannot be examined: {}; run as a user who can, or leave it out"};
inline constexpr reason path_changed{"path.changed", "{} has changed while {} was looked up; start again"};
inline constexpr reason path_not_hidden{
    "path.not_hidden",
    "{} cannot be hidden, a mount point for it cannot be created: {}; create the path first, or leave it out"};
inline constexpr reason path_hidden_missing{
    "path.hidden_missing",
    "the policy takes all rights away at {}, which does not exist: create it first, or leave it out"};
inline constexpr reason path_other_name{"path.other_name",
                                        "the policy names {}, which a link or another name leads to; name {} itself"};
inline constexpr reason link_appeared{"link.appeared", "{} has meanwhile become a symbolic link; start the run again"};
inline constexpr reason link_appeared_for{"link.appeared_for",
                                          "{}: {} has meanwhile become a symbolic link; start the run again"};
inline constexpr reason link_replaceable{"link.replaceable",
                                         "the policy takes rights away at {}, but {} is a link that the program may "
                                         "replace; name {} itself, or put what the link leads to in its place"};
inline constexpr reason link_not_trusted{"link.not_trusted",
                                         "the policy grants {}, but {} is a link {}; grant {} by its own name"};
inline constexpr reason link_named{"link.named", "{}: {} is a link {}; name {} itself"};
inline constexpr reason glob_too_many{
    "glob.too_many",
    "a search for patterns ends after {} entries, in {}; begin the patterns with a directory that has fewer"};
inline constexpr reason glob_not_listed{"glob.not_listed",
                                        "the entries of {} are not known, which a pattern may match: "
                                        "{}; name what is meant there by plain paths"};

// Streams

inline constexpr reason input_not_opened{"stream.input", "the input {} cannot be opened: {}"};
inline constexpr reason input_not_regular{"stream.not_regular",
                                          "{} is not a regular file; hand it over as the caller's stdin"};
inline constexpr reason stream_directory{
    "stream.directory",
    "{} is a directory, or a descriptor that neither reads nor writes: give the program a file, or /dev/null"};
inline constexpr reason stream_no_file{"stream.no_file",
                                       "{} is not a descriptor of a file (such as a pidfd, eventfd or "
                                       "epoll): give the program a file, or /dev/null"};

// Reports, keys and records

inline constexpr reason report_not_written{"report.not_written",
                                           "{}: the report cannot be written: {}; name a file that can"};
inline constexpr reason key_short{"key.short", "{}: a key has at least {} bytes, such as of: openssl rand -hex 32"};
inline constexpr reason key_weak{"key.weak", "a key of fewer than {} bytes attests nothing; make a longer one"};
inline constexpr reason not_attestable{
    "attestation.object",
    "only a JSON object as cordon prints them can be attested; give a report or a record as it was written"};
inline constexpr reason not_attested{"attestation.missing", "it is not attested; give one that was written with a key"};
inline constexpr reason attestation_differs{
    "attestation.differs",
    "the attestation does not match: the file was changed, or the key is another one; do not trust it"};
inline constexpr reason tape_ended{
    "tape.ended", "the tape has ended: nothing more was recorded; record the command, or leave it out"};
inline constexpr reason tape_differs{"tape.differs",
                                     "the tape has another command line here: {}; run that one, or record anew"};
inline constexpr reason replay_lacks{"replay.lacks",
                                     "recorded with what this host lacks:{}; replay on a host that has it"};

// What the host lacks

inline constexpr reason no_landlock{"host.landlock", "this kernel has no Landlock; cordon doctor says why"};
inline constexpr reason no_bwrap{"host.bwrap", "bwrap is not installed; install bubblewrap"};
inline constexpr reason bwrap_not_trusted{"host.bwrap_file",
                                          "{} is not a file that root alone may write; correct its owner and mode"};
inline constexpr reason bwrap_arguments{"host.bwrap_arguments",
                                        "the policy has more places than bwrap takes arguments; grant directories "
                                        "instead of their files, or choose the backend namespaces"};
inline constexpr reason no_null_device{
    "host.null",
    "/dev/null is no device here, and nothing else can hide a file; make it one: mknod -m 666 /dev/null c 1 3"};
inline constexpr reason no_workspace_proc{
    "host.proc", "the workspace is opened through /proc, which is missing or hidden here; mount it"};
inline constexpr reason no_own_program{"host.noexec", "{}: {}; {}"};
inline constexpr reason no_namespaces{"host.namespaces", "{}"};
inline constexpr reason rule_refused{"host.rule", "{}: {}: {}"};
inline constexpr reason no_temp_name{"host.temp_name", "no directory for temporary files has a name that cmd.exe takes "
                                                       "as it is; set TMP to one without special characters"};
inline constexpr reason probe_failed{"host.probe", "{}"};

// What a run needs of its own

inline constexpr reason no_pipe{"resource.pipe",
                                "cannot make a pipe: {}; close files, or raise the limit of open files"};
inline constexpr reason no_sockets{"resource.sockets",
                                   "cannot make a pair of sockets: {}; close files, or raise the limit of open files"};
inline constexpr reason no_terminal{
    "resource.terminal",
    "cannot make a terminal for the program: {}; mount devpts at /dev/pts, or redirect the streams"};
inline constexpr reason no_wait{"resource.wait",
                                "cannot wait for a program: {}; close files, or raise the limit of open files"};
inline constexpr reason no_file{"resource.file", "cannot make {}: {}; close files, or free memory"};
inline constexpr reason no_temp{"resource.temp",
                                "{}: cannot make the run's temporary directory: {}; name another one in TMPDIR"};
inline constexpr reason temp_not_locked{
    "resource.temp_lock",
    "{}: cannot lock the run's temporary directory: {}; name one of another file system in TMPDIR"};
inline constexpr reason session_name{
    "session.name",
    "{} is no name for a session; take up to 64 letters, digits, dots, - and _, and no dot at the beginning"};
inline constexpr reason session_not_opened{
    "session.directory",
    "{}: cannot open the directory of the session: {}; it must be this user's, on a file system with locks"};
inline constexpr reason too_many_sessions{
    "session.many", "there are {} sessions, as many as may be; remove one: cordon session rm NAME"};
inline constexpr reason session_too_large{
    "session.large", "session {} holds more than {} GiB; remove files, or all of it: cordon session rm {}"};
inline constexpr reason no_session{"session.none", "there is no session {}; cordon session lists those that exist"};
inline constexpr reason session_in_use{"session.in_use", "a run uses session {}; wait until it has ended"};
inline constexpr reason session_without_temp{
    "session.no_temp",
    "session {} is for a temporary directory, which the policy does not grant; grant one, or name no session"};
inline constexpr reason session_elsewhere{"session.system",
                                          "sessions are supported on Linux and macOS alone; name none"};

// Ports that a run publishes

inline constexpr reason publish_level{"publish.level",
                                      "port {} cannot be published: the policy's level is {}; it takes level network"};
inline constexpr reason publish_not_listed{
    "publish.not_listed", "port {} cannot be published: the policy does not list it, as `listen {}` would; add that"};
inline constexpr reason publish_without_sockets{
    "publish.no_sockets",
    "port {} cannot be published: the policy gives the program no sockets to serve it with; add sockets own"};
inline constexpr reason publish_on_machine{
    "publish.machine",
    "port {} cannot be published: the program has the machine's network, and listens there itself; do not publish it"};
inline constexpr reason publish_without_network{
    "publish.no_network", "port {} cannot be published: the program has no network of its own with the backend {}; "
                          "choose namespaces or bubblewrap"};
inline constexpr reason publish_not_bound{
    "publish.not_bound", "{} cannot be published: {}; choose another port or address, or end what uses it"};
inline constexpr reason publish_elsewhere{"publish.system", "ports are published on Linux alone; publish none"};

// Files of cordon's own

inline constexpr reason not_written{"resource.not_written", "{} cannot be written; make room, or name another file"};

///@}

} // namespace cordon::reasons
