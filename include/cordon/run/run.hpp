// SPDX-License-Identifier: BSL-1.0
/// Running one program under a policy: decide, prepare, start, wait, end the tree, and say what was in force.
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

/// What becomes of what the guard finds in the arguments. Programs that the policy does not let be started are refused in
/// any case.
enum class guard_mode : std::uint8_t {
  report, ///< it is in the report
  refuse, ///< nothing is started
};

/// What becomes of hosts that the arguments name, or the caller hands over, and the policy does not allow, beside what is
/// enforced.
enum class egress_mode : std::uint8_t {
  none,      ///< nothing: no connection to them can be made
  preflight, ///< nothing is started
  strict,    ///< the same, nor where the hosts are not enforced
};

inline constexpr std::array<std::string_view, 2> guard_mode_names{"report", "refuse"};
inline constexpr std::array<std::string_view, 3> egress_mode_names{"none", "preflight", "strict"};

/// The directory that was taken for the project.
struct project_choice {
  std::string root; ///< empty: there is none, so no workspace can be written
  std::string why;
};

struct run_request {
  loaded_policy policy{};
  link_facts links{}; ///< for resolving it (`links_of_host`)
  std::vector<matched_glob>
      globs{}; ///< patterns that the policy's documents have: each is the gap `files.later:PATTERN`
  std::vector<std::string> argv{};
  /// The caller's variables, `NAME=value`; left out: this process's own.
  std::optional<std::vector<std::string>> environment{};
  std::optional<std::string> directory{};  ///< to run in; left out: the current one
  std::optional<project_choice> project{}; ///< for the report; left out: the policy did not need one
  selection_input asked{};                 ///< `profile`, `fallback` and `available` are filled in by `run`
  /// Files that the caller believes after the run, such as policies, keys, records and reports: those that the program may
  /// change are the gaps `policy.writable:PATH`.
  std::vector<std::string> trusted_files{};
  std::vector<std::string> accepted_gaps{}; ///< IDs of unenforced gaps that os_hardened may leave
  guard_mode guard = guard_mode::report;
  egress_mode egress = egress_mode::none;
  /// Hosts that the caller knows the program will contact: `example.com`, `example.com:80` or a URL. Under
  /// `egress_mode::preflight` and `strict` a run is refused if the policy does not allow one of them.
  std::vector<std::string> requested_hosts{};
  /// A port of localhost where a proxy of the caller's tells hosts apart: the program reaches that and no other host, and
  /// its variables name it. macOS alone; elsewhere such a run is refused. 0: none.
  std::uint16_t gateway_port = 0;
  input in{};
  /// How much of stdout and of stderr the report keeps; left out: they are the caller's own, and it keeps nothing.
  std::optional<captured_size> keep{};
  /// Is told of every piece of output when it comes. An exception that leaves it ends the run.
  std::function<void(stream, std::string_view)> on_output{};
  /// This process is there for this run alone, and has one thread: signals that ask it to end are the program's, so is
  /// its terminal, and orphans of the tree are found and ended whatever they have done to get away.
  bool owns_process = false;
};

/// What was asked, what was in force, and how it ended.
struct report {
  identity id; ///< of this run
  std::vector<std::string> argv;
  std::string program; ///< the file that was run
  std::string directory;
  std::optional<project_choice> project; ///< as the request has it
  std::optional<loaded_policy> policy;   ///< in force
  cordon::profile profile{};
  selection selected = selection::refused;
  std::string backend;
  std::string reason; ///< of the selection, where it is not plain confinement
  guard_finding guard;
  std::string guard_reason; ///< what it means; of a host, which one
  std::vector<mechanism> mechanisms;
  std::vector<reported_gap> gaps;
  std::vector<stated_limit> limits;
  std::vector<std::string> added_arguments;     ///< that the program was given beside those of argv
  std::vector<std::string> environment;         ///< names of all variables that the program has
  std::vector<std::string> added_environment;   ///< of those that cordon itself set
  std::vector<std::string> dropped_environment; ///< names of the caller's variables that it has not
  outcome ended;
  captured_output output, error; ///< as far as they are kept
  std::vector<denial> denials;
  bool sees_calls = false, sees_errors = false; ///< did anybody look for denials by seccomp, and on stderr?
};

/// How far a run has come.
struct progress {
  std::uint64_t wall = 0;         ///< nanoseconds
  std::uint64_t output_bytes = 0; ///< that went through cordon
  std::uint64_t memory = 0;       ///< bytes resident in all processes of the tree that can be found
};

/// A program under a policy from its start to the end of its tree, for callers with a loop of their own. Never throws for
/// what a policy or a host refuses: that is an outcome. While nobody takes a turn, a program that has filled a pipe waits,
/// and so does one whose call the filter refuses. As many at once as there are descriptors for, about ten each; each
/// one is for one thread at a time.
class process_run {
public:
  /// Starts the program. `before_start` is called once everything is known and nothing has started.
  explicit process_run(run_request request, const std::function<void(const report&)>& before_start = {});
  process_run(process_run&&) noexcept;
  process_run& operator=(process_run&&) noexcept;
  ~process_run(); ///< ends what still runs

  /// Readable (select, poll, epoll) while `advance` has something to do; -1 where nothing was started, and on Windows,
  /// where `wait_for` is what there is.
  [[nodiscard]] int descriptor() const;
  /// The same one again, to be closed by whoever gets it; -1 also where there is no room for it.
  [[nodiscard]] int duplicate_descriptor() const;
  /// Does what can be done without waiting for anybody. True once it is over.
  bool advance();
  /// Waits until `advance` has something to do, but not for longer than so many milliseconds (the greatest number: for
  /// ever). Has it?
  [[nodiscard]] bool wait_for(std::uint32_t milliseconds);
  [[nodiscard]] progress so_far() const;
  /// Does somebody sit at a terminal of the program's, with keys?
  [[nodiscard]] bool is_interactive() const;
  /// Ends the whole tree at once; the outcome is `interrupted`.
  void cancel();
  /// Waits until it is over. The report is there once: a second call, and one of an object that has been moved from, gives
  /// a report that says so (`refused`).
  [[nodiscard]] report wait();
  /// The same without waiting, once it is over.
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
