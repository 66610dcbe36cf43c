// SPDX-License-Identifier: BSL-1.0
/// How a run ended.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace cordon {

enum class ending : std::uint8_t {
  exited,        ///< by itself; `number` is the exit code
  signaled,      ///< by a signal; `number` is the signal
  timed_out,     ///< the wall clock limit ended it
  output_quota,  ///< it wrote more than its limit
  memory_limit,  ///< the kernel killed it because its group was out of memory; `number` is the signal
  cpu_limit,     ///< it used up its processor time; `number` is the signal
  interrupted,   ///< cordon received a request to end; `number` is the signal
  refused,       ///< not started: cordon or the policy refuses
  not_found,     ///< the program does not exist
  not_executable ///< the program exists, but cannot be executed
};

inline constexpr std::array<std::string_view, 10> ending_names{
    "exited",    "signaled",    "timed_out", "output_quota", "memory_limit",
    "cpu_limit", "interrupted", "refused",   "not_found",    "not_executable"};
[[nodiscard]] constexpr std::string_view name(ending e) { return ending_names[static_cast<std::size_t>(e)]; }

struct outcome {
  ending how = ending::refused;
  int number = 0;
  std::string why;        ///< not started: the reason and the remedy; started: why output was lost
  std::uint64_t wall = 0; ///< nanoseconds from start to end of the program
  std::uint64_t cpu =
      0; ///< nanoseconds of processor time: of the tree if a group counts it, else of the processes waited for
  std::uint64_t memory = 0;       ///< peak bytes of the largest of these processes
  std::uint64_t output_bytes = 0; ///< bytes that passed through cordon
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
  case ending::refused: return 125;
  case ending::not_executable: return 126;
  case ending::not_found: return 127;
  }
  return 125;
}

/// The same for an outcome; also 125 if the program succeeded but its output was lost.
[[nodiscard]] inline int exit_status(const outcome& o) {
  const int status = exit_status(o.how, o.number);
  return status == 0 && !o.why.empty() ? 125 : status;
}

} // namespace cordon
