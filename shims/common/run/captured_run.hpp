// SPDX-License-Identifier: BSL-1.0
/// What is the same in every run whose output threads of cordon capture: its time, its output, and its end.
#pragma once

#include "capture.hpp"
#include "clock.hpp"
#include "first_ending.hpp"
#include "output_sink.hpp"

#include <cordon/run/run.hpp>

#include <cstdint>
#include <functional>
#include <vector>

namespace cordon::shim {

class captured_run {
public:
  static constexpr int killed = 9;                       ///< the reported signal of a tree that was ended: SIGKILL
  static constexpr std::uint64_t patience = 100'000'000; ///< nanoseconds for a process that holds the streams after
                                                         ///< the end

  /// All arguments must outlive it.
  captured_run(const limits& held, const run_request& request, report& to);

  /// The program runs.
  void begin() { start_ = now(); }
  [[nodiscard]] std::uint64_t start() const { return start_; }
  /// The program has ended.
  void stop_clock() { report_.ended.wall = now() - start_; }
  void decide(ending how, int number) { ending_.decide(how, number); }

  /// Passes the output on that `take` returns. Calls `end` if it exceeds its limit. If a listener throws, calls `end`
  /// and rethrows.
  void pass_on(const std::function<std::vector<capture::piece>()>& take,
               const std::function<void(ending how, int number)>& end);

  /// `pid`: 0 once the program has ended.
  [[nodiscard]] progress so_far(std::int64_t pid) const { return {now() - start_, report_.ended.output_bytes, 0, pid}; }
  /// Completes the report, once the run is over.
  void complete_report();

private:
  report& report_;
  output_sink sink_;
  first_ending ending_;
  std::uint64_t start_ = 0;
};

} // namespace cordon::shim
