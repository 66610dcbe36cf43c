// SPDX-License-Identifier: BSL-1.0
/// Runs one program under a policy: decides, prepares, starts, waits, ends the process tree, and reports what was
/// enforced.
#pragma once

#include "../detail/owned.hpp"
#include "../format/callback.hpp"
#include "../format/service/granted_service.hpp"
#include "../guard/finding.hpp"
#include "../host/published_port.hpp"
#include "../policy/heap.hpp"
#include "captured_output.hpp"
#include "denial.hpp"
#include "globs/matched_glob.hpp"
#include "identity.hpp"
#include "input.hpp"
#include "links/link_facts.hpp"
#include "outcome.hpp"
#include "project/protected_settings.hpp"
#include "refused.hpp"
#include "reported.hpp"
#include "selection_input.hpp"
#include "stop.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

/// An output stream of the program.
enum class stream : std::uint8_t { output, error };

/// What happens with the guard's findings in the arguments. A program that the policy does not allow is refused in any
/// case.
enum class guard_mode : std::uint8_t {
  report, ///< the report lists them
  refuse, ///< the run is refused
};

/// What happens if the arguments or `requested_hosts` name a host that the policy does not allow. The enforced rules
/// are not affected.
enum class egress_mode : std::uint8_t {
  none,      ///< nothing: the program starts, but cannot connect to the host
  preflight, ///< the run is refused
  strict,    ///< as preflight; a run whose hosts cannot be enforced is refused too
};

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 2> guard_mode_names{"report", "refuse"};
/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 3> egress_mode_names{"none", "preflight", "strict"};
/// Returns: the name of the mode, as in reports.
[[nodiscard]] constexpr std::string_view name(guard_mode m) { return guard_mode_names[static_cast<std::size_t>(m)]; }
/// Returns: the name of the mode, as in reports.
[[nodiscard]] constexpr std::string_view name(egress_mode m) { return egress_mode_names[static_cast<std::size_t>(m)]; }

/// The directory that cordon takes for the project.
struct project_choice {
  std::string root;      ///< empty: no project, so the workspace is not writable
  std::string why;       ///< why it is the project
  bool is_named = false; ///< the caller named it, and cordon searched for none
  bool is_kept = false;  ///< an earlier run had it, and a search finds one around it now
};

/// What to run, and how.
struct run_request {
  loaded_policy policy{};            ///< for this run; resolved before the start
  link_facts links{};                ///< for resolving it (`links_of_host`)
  std::vector<matched_glob> globs{}; ///< patterns in the policy's documents: each is the gap `files.later:PATTERN`
  /// Services of the caller that the policy's documents grant: each is the gap `service.granted:NAME`.
  std::vector<format::granted_service> services{};
  std::vector<std::string> argv{}; ///< the program, and its arguments
  /// The caller's environment variables, `NAME=value`; left out: those of this process.
  std::optional<std::vector<std::string>> environment{};
  std::optional<std::string> directory{};  ///< working directory; left out: the current one
  std::optional<project_choice> project{}; ///< for the report; left out: the policy needed no project
  /// Settings of the project (`find_settings`), which the program can read and execute at most. On Linux, that needs a
  /// view; without one, they are the gap `project.settings:PATH`.
  project_settings settings{};
  /// The session (session.hpp) in whose directory temporary files and caches live on; empty: they end with the run.
  std::string session{};
  selection_input asked{}; ///< `run` sets `profile`, `fallback` and `available`
  /// Files that the caller trusts after the run, such as policies, keys, records and reports. Each one that the program
  /// may change is the gap `policy.writable:PATH`.
  std::vector<std::string> trusted_files{};
  std::vector<std::string> accepted_gaps{}; ///< IDs of unenforced gaps that os_hardened may leave
  guard_mode guard = guard_mode::report;    ///< the guard's part
  egress_mode egress = egress_mode::none;   ///< the part of requested hosts
  /// Hosts that the program will contact: `example.com`, `example.com:80` or a URL. Under `egress_mode::preflight` and
  /// `strict` a run is refused if the policy does not allow one of them.
  std::vector<std::string> requested_hosts{};
  /// A port of localhost on which a proxy of the caller filters hosts. The program can connect to that port and to no
  /// other host, and its proxy variables name the port. macOS only; elsewhere such a run is refused. 0: none.
  std::uint16_t gateway_port = 0;
  /// Ports of the machine on which cordon accepts connections for servers in the run's own network. The policy must
  /// list each one (`listen`), and have `sockets own`. Linux only; elsewhere such a run is refused.
  std::vector<host::published_port> publish{};
  input in{}; ///< where stdin comes from
  /// Bytes of stdout and of stderr that the report keeps; left out: the program inherits the caller's streams.
  std::optional<captured_size> keep{};
  /// Called with each piece of output as it arrives. An exception from it ends the run.
  callback<void(stream, std::string_view)> on_output{};
  /// Ends the tree when stop is requested, from any thread; the outcome is `interrupted`. If that was before the start,
  /// nothing starts.
  run_stop_token stop{};
  /// This process exists for this run only, and has one thread. Its signals go to the program: SIGHUP, SIGUSR1, SIGUSR2,
  /// SIGWINCH, SIGCONT, SIGTSTP, and those that ask it to end. The program gets a terminal behind that of this process,
  /// and this process stops with the program at ^Z. Orphans of the tree are always found and ended. False: the run
  /// changes no signal, handler or terminal of this process.
  bool owns_process = false;
};

/// What was requested, what was enforced, and how the run ended.
struct report {
  run_identity id;                              ///< of this run
  std::vector<std::string> argv;                ///< the arguments
  std::string program;                          ///< file that was executed
  std::string directory;                        ///< the working directory
  std::optional<project_choice> project;        ///< from the request
  std::string session;                          ///< from the request
  std::vector<host::published_port> published;  ///< from the request
  std::optional<loaded_policy> policy;          ///< the one in force
  cordon::profile profile{};                    ///< the profile in force
  selection selected = selection::refused;      ///< confined, unconfined or refused
  std::string backend;                          ///< what confined the program
  std::string reason;                           ///< why this selection, if it is not plain confinement
  guard_finding guard;                          ///< what the guard found in the arguments
  std::string guard_reason;                     ///< explanation of the finding; for a host, names it
  std::vector<mechanism> mechanisms;            ///< what was in force
  std::vector<reported_gap> gaps;               ///< what was not enforced
  std::vector<stated_limit> limits;             ///< the limits of the policy
  std::vector<std::string> added_arguments;     ///< arguments that cordon added to those of argv
  std::vector<std::string> environment;         ///< names of all variables of the program
  std::vector<std::string> added_environment;   ///< names of those that cordon set
  std::vector<std::string> dropped_environment; ///< names of the caller's variables that the program lacks
  outcome ended;                                ///< how the run ended
  captured_output output;                       ///< what is kept of stdout
  captured_output error;                        ///< what is kept of stderr
  std::vector<denial> denials;                  ///< operations that were refused
  bool sees_calls = false;                      ///< were denials observed through seccomp?
  bool sees_errors = false;                     ///< were they looked for on stderr?
};

/// The progress of a run.
struct progress {
  std::uint64_t wall = 0;         ///< nanoseconds
  std::uint64_t output_bytes = 0; ///< bytes that passed through cordon
  std::uint64_t memory = 0;       ///< resident bytes of all processes of the tree that can be found
  std::int64_t pid = 0;           ///< of the program, or of the first process of its namespaces; 0: it has ended
};

/// A program under a policy, from its start to the end of its tree, for callers with their own event loop. Does not
/// throw if the policy or the host refuses: that is an outcome. Between calls of `advance`, a program that has filled a
/// pipe waits, and so does one whose system call the filter refuses. Each run takes about ten file descriptors, whose
/// limit bounds the number of runs. An object is for one thread at a time.
class process_run {
public:
  /// Starts the program. Calls `before_start` when the report is complete up to the start, and nothing has started.
  [[gnu::abi_tag("abi_0")]] explicit process_run(run_request request,
                                                 const callback<void(const report&)>& before_start = {});
  process_run(process_run&&) noexcept;            ///< Leaves the other object without a program.
  process_run& operator=(process_run&&) noexcept; ///< Ends the program that this object had.
  ~process_run();                                 ///< ends the tree if it still runs

  /// Readable (select, poll, epoll) while `advance` has work; -1 if nothing was started. Always -1 on Windows: use
  /// `wait_for` there.
  [[nodiscard]] int descriptor() const;
  /// A duplicate, which the caller closes; -1 also if no descriptor is free.
  [[nodiscard]] int duplicate_descriptor() const;
  /// Does the available work without blocking. Returns: true once the run is over.
  bool advance();
  /// Waits until `advance` has work, at most for `milliseconds` (the maximum value: without limit). Returns: has it
  /// work?
  [[nodiscard]] bool wait_for(std::uint32_t milliseconds);
  [[nodiscard]] progress so_far() const; ///< What the program has used so far.
  /// Writes to the program's stdin (`input::pipe`) as many bytes as it has room for, without blocking. Returns: the
  /// number of them; none: the program has closed its stdin, `close_input` was called, or there is no such pipe.
  [[nodiscard]] std::optional<std::size_t> write_input(std::string_view bytes);
  /// Writable (select, poll, epoll) while `write_input` has room; -1: there is no such pipe.
  [[nodiscard]] int input_descriptor() const;
  /// The program reads the end of the file after what was written.
  void close_input();
  /// Does a user type on a terminal of the program?
  [[nodiscard]] bool is_interactive() const;
  /// Ends the whole tree at once; the outcome is `interrupted`. From another thread: `run_request::stop`.
  void cancel();
  /// Waits until the run is over. Returns: the report, once. A second call, or a call on a moved-from object, returns a
  /// report that states so (`refused`).
  [[nodiscard]] report wait();
  /// The same without waiting, once the run is over.
  [[nodiscard]] report take();

private:
  struct parts;
  detail::owned<parts> parts_;
};

inline namespace abi_0 {

/// Runs a program and waits for it.
[[nodiscard]] report run(run_request request, const callback<void(const report&)>& before_start = {});

} // namespace abi_0

} // namespace cordon
