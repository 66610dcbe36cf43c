// SPDX-License-Identifier: BSL-1.0
/// Runs one program under a policy: decides, prepares, starts, waits, ends the process tree, and reports what was
/// enforced.
#pragma once

#include "../guard/guard.hpp"
#include "captured_output.hpp"
#include "denials.hpp"
#include "globs.hpp"
#include "identity.hpp"
#include "input.hpp"
#include "links.hpp"
#include "outcome.hpp"
#include "refused.hpp"
#include "reported.hpp"
#include "selection.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon {

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

inline constexpr std::array<std::string_view, 2> guard_mode_names{"report", "refuse"};
inline constexpr std::array<std::string_view, 3> egress_mode_names{"none", "preflight", "strict"};

/// The directory that cordon takes for the project.
struct project_choice {
  std::string root; ///< empty: no project, so the workspace is not writable
  std::string why;
};

struct run_request {
  loaded_policy policy{};
  link_facts links{};                ///< for resolving it (`links_of_host`)
  std::vector<matched_glob> globs{}; ///< patterns in the policy's documents: each is the gap `files.later:PATTERN`
  std::vector<std::string> argv{};
  /// The caller's environment variables, `NAME=value`; left out: those of this process.
  std::optional<std::vector<std::string>> environment{};
  std::optional<std::string> directory{};  ///< working directory; left out: the current one
  std::optional<project_choice> project{}; ///< for the report; left out: the policy needed no project
  selection_input asked{};                 ///< `run` sets `profile`, `fallback` and `available`
  /// Files that the caller trusts after the run, such as policies, keys, records and reports. Each one that the program
  /// may change is the gap `policy.writable:PATH`.
  std::vector<std::string> trusted_files{};
  std::vector<std::string> accepted_gaps{}; ///< IDs of unenforced gaps that os_hardened may leave
  guard_mode guard = guard_mode::report;
  egress_mode egress = egress_mode::none;
  /// Hosts that the program will contact: `example.com`, `example.com:80` or a URL. Under `egress_mode::preflight` and
  /// `strict` a run is refused if the policy does not allow one of them.
  std::vector<std::string> requested_hosts{};
  /// A port of localhost on which a proxy of the caller filters hosts. The program can connect to that port and to no
  /// other host, and its proxy variables name the port. macOS only; elsewhere such a run is refused. 0: none.
  std::uint16_t gateway_port = 0;
  input in{};
  /// Bytes of stdout and of stderr that the report keeps; left out: the program inherits the caller's streams.
  std::optional<captured_size> keep{};
  /// Called with each piece of output as it arrives. An exception from it ends the run.
  std::function<void(stream, std::string_view)> on_output{};
  /// This process exists for this run only, and has one thread. Signals that ask it to end go to the program, and the
  /// program gets its terminal. Orphans of the tree are always found and ended.
  bool owns_process = false;
};

/// What was requested, what was enforced, and how the run ended.
struct report {
  identity id; ///< of this run
  std::vector<std::string> argv;
  std::string program; ///< file that was executed
  std::string directory;
  std::optional<project_choice> project; ///< from the request
  std::optional<loaded_policy> policy;   ///< the one in force
  cordon::profile profile{};
  selection selected = selection::refused;
  std::string backend;
  std::string reason; ///< why this selection, if it is not plain confinement
  guard_finding guard;
  std::string guard_reason; ///< explanation of the finding; for a host, names it
  std::vector<mechanism> mechanisms;
  std::vector<reported_gap> gaps;
  std::vector<stated_limit> limits;
  std::vector<std::string> added_arguments;     ///< arguments that cordon added to those of argv
  std::vector<std::string> environment;         ///< names of all variables of the program
  std::vector<std::string> added_environment;   ///< names of those that cordon set
  std::vector<std::string> dropped_environment; ///< names of the caller's variables that the program lacks
  outcome ended;
  captured_output output, error; ///< the bytes that are kept
  std::vector<denial> denials;
  bool sees_calls = false, sees_errors = false; ///< were denials observed through seccomp, and on stderr?
};

/// The progress of a run.
struct progress {
  std::uint64_t wall = 0;         ///< nanoseconds
  std::uint64_t output_bytes = 0; ///< bytes that passed through cordon
  std::uint64_t memory = 0;       ///< resident bytes of all processes of the tree that can be found
};

/// A program under a policy, from its start to the end of its tree, for callers with their own event loop. Does not
/// throw if the policy or the host refuses: that is an outcome. Between calls of `advance`, a program that has filled a
/// pipe waits, and so does one whose system call the filter refuses. Each run takes about ten file descriptors, whose
/// limit bounds the number of runs. An object is for one thread at a time.
class process_run {
public:
  /// Starts the program. Calls `before_start` when the report is complete up to the start, and nothing has started.
  explicit process_run(run_request request, const std::function<void(const report&)>& before_start = {});
  process_run(process_run&&) noexcept;
  process_run& operator=(process_run&&) noexcept;
  ~process_run(); ///< ends the tree if it still runs

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
  [[nodiscard]] progress so_far() const;
  /// Does a user type on a terminal of the program?
  [[nodiscard]] bool is_interactive() const;
  /// Ends the whole tree at once; the outcome is `interrupted`.
  void cancel();
  /// Waits until the run is over. Returns: the report, once. A second call, or a call on a moved-from object, returns a
  /// report that states so (`refused`).
  [[nodiscard]] report wait();
  /// The same without waiting, once the run is over.
  [[nodiscard]] report take();

private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

/// Runs a program and waits for it.
[[nodiscard]] inline report run(run_request request, const std::function<void(const report&)>& before_start = {}) {
  return process_run(std::move(request), before_start).wait();
}

} // namespace cordon
