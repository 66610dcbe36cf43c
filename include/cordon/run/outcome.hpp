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
  memory_limit,  ///< the kernel ended it for want of memory in its group; `number` is the signal
  cpu_limit,     ///< its processor time was used up; `number` is the signal
  interrupted,   ///< cordon was told to end; `number` is the signal
  refused,       ///< it was not started: cordon or the policy refuses
  not_found,     ///< there is no such program
  not_executable ///< there is one, but it cannot be executed
};

inline constexpr std::array<std::string_view, 10> ending_names{
    "exited",    "signaled",    "timed_out", "output_quota", "memory_limit",
    "cpu_limit", "interrupted", "refused",   "not_found",    "not_executable"};
[[nodiscard]] constexpr std::string_view name(ending e) { return ending_names[static_cast<std::size_t>(e)]; }

struct outcome {
  ending how = ending::refused;
  int number = 0;
  std::string why;        ///< of what never started: the reason and the remedy; of what did: why output was lost
  std::uint64_t wall = 0; ///< nanoseconds from start to end of the program
  std::uint64_t cpu =
      0; ///< nanoseconds of processor time: of the tree where a group counts, else of who was waited for
  std::uint64_t memory = 0;       ///< bytes that the largest of these processes had at most
  std::uint64_t output_bytes = 0; ///< that went through cordon
};

/// Exit status of a command line that ran the program: its own, 128+N for a signal, and the numbers that timeout(1),
/// env(1) and shells use for what never ran.
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

/// The same of an outcome: 125 also for a success whose output was lost.
[[nodiscard]] inline int exit_status(const outcome& o) {
  const int status = exit_status(o.how, o.number);
  return status == 0 && !o.why.empty() ? 125 : status;
}

} // namespace cordon
