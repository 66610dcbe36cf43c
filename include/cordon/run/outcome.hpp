// SPDX-License-Identifier: BSL-1.0
/// How a run ended.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

/// How a run ended.
enum class ending : std::uint8_t {
  exited,         ///< by itself; `number` is the exit code
  signaled,       ///< by a signal; `number` is the signal
  timed_out,      ///< the wall clock limit ended it
  output_quota,   ///< it wrote more than its limit
  memory_limit,   ///< the kernel killed it because its group was out of memory; `number` is the signal
  cpu_limit,      ///< it used up its processor time; `number` is the signal
  interrupted,    ///< cordon received a request to end; `number` is the signal
  refused,        ///< not started: cordon or the policy refuses
  not_found,      ///< the program does not exist
  not_executable, ///< the program exists, but cannot be executed
  started         ///< not known: the report is from before the start, and cordon may have ended since
};

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 11> ending_names{
    "exited",      "signaled", "timed_out", "output_quota",   "memory_limit", "cpu_limit",
    "interrupted", "refused",  "not_found", "not_executable", "started"};
/// Returns: the name of the ending, as in reports.
[[nodiscard]] constexpr std::string_view name(ending e) { return ending_names[static_cast<std::size_t>(e)]; }

/// How a run ended, and what it used.
struct outcome {
  ending how = ending::refused;              ///< the way it ended
  int number = 0;                            ///< an exit code or a signal, by `how`
  std::string why;                           ///< not started: the reason and the remedy; started: why output was lost
  std::string_view refusal{};                ///< if cordon or the policy refused: the ID of the reason in reasons.hpp
  std::vector<std::string> refusal_values{}; ///< the values of its text
  std::uint64_t wall = 0;                    ///< nanoseconds from start to end of the program
  std::uint64_t cpu =
      0; ///< nanoseconds of processor time: of the tree if a group counts it, else of the processes waited for
  std::uint64_t memory = 0;       ///< peak bytes of the largest of these processes
  std::uint64_t output_bytes = 0; ///< bytes that passed through cordon
  /// A reader of the caller's pipe was gone before all output had been passed on. Without cordon, the program would have
  /// got SIGPIPE; it may have ended before. Linux alone.
  bool reader_gone = false;
};

/// The exit status of a command line that ran the program: the program's own, 128+N for signal N, and the numbers of
/// timeout(1), env(1) and shells if it did not run.
[[nodiscard]] constexpr int exit_status(ending how, int number) {
  switch (how) {
  case ending::exited: return number;
  case ending::signaled:
  case ending::memory_limit:
  case ending::cpu_limit:
  case ending::interrupted: return 128 + number;
  case ending::output_quota: return 121;
  case ending::timed_out: return 124;
  case ending::refused:
  case ending::started: return 125;
  case ending::not_executable: return 126;
  case ending::not_found: return 127;
  }
  return 125;
}

/// The same for an outcome; also 125 if the program succeeded but its output was lost, and 141 (SIGPIPE) if it was lost
/// because its reader was gone.
[[nodiscard]] inline int exit_status(const outcome& o) {
  constexpr int broken_pipe = 128 + 13;
  const int status = exit_status(o.how, o.number);
  if (status == 0 && !o.why.empty()) return 125;
  return status == 0 && o.reader_gone ? broken_pipe : status;
}

/// Returns: the signal by which the outcome ends a command line that ends as the program did; 0: none. Shells stop loops
/// and scripts at such an end, but not at the exit status 128+N.
[[nodiscard]] inline int ending_signal(const outcome& o) {
  const bool by_signal = o.how == ending::signaled || o.how == ending::interrupted;
  const int number = exit_status(o) - 128;
  for (const int repeated : {1, 2, 3, 13, 15}) // SIGHUP, SIGINT, SIGQUIT, SIGPIPE and SIGTERM, everywhere
    if (number == repeated && (by_signal || o.reader_gone)) return number;
  return 0;
}

} // namespace cordon
