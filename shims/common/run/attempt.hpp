// SPDX-License-Identifier: BSL-1.0
/// One run on this system, from its input to the end of its tree. `process_run` (run.cpp) takes the phases that all
/// systems share; each system implements what this header declares.
#pragma once

#include <cordon/policy/heap.hpp>
#include <cordon/run/availability.hpp>
#include <cordon/run/links/links.hpp>
#include <cordon/run/run.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::shim {

class attempt {
public:
  attempt() = default;
  attempt(const attempt&) = delete;
  attempt& operator=(const attempt&) = delete;
  virtual ~attempt() = default; ///< ends the tree if it still runs

  /// Throws: `refused`. A missing program is an outcome; then nothing runs.
  virtual void start(const callback<void(const report&)>& before_start) = 0;
  [[nodiscard]] virtual bool is_running() const = 0;
  /// See `process_run`.
  [[nodiscard]] virtual int descriptor() const = 0;
  [[nodiscard]] virtual int duplicate_descriptor() const = 0;
  virtual bool advance() = 0;
  [[nodiscard]] virtual bool wait_for(std::uint32_t milliseconds) = 0;
  [[nodiscard]] virtual progress so_far() const = 0;
  [[nodiscard]] virtual bool is_interactive() const { return false; }
  virtual void cancel() = 0;
  /// See `process_run`.
  [[nodiscard]] virtual std::optional<std::size_t> write_input(std::string_view) { return std::nullopt; }
  [[nodiscard]] virtual int input_descriptor() const { return -1; }
  virtual void close_input() {}
  /// Makes `descriptor` readable, and ends `wait_for`. For any thread, while the program runs.
  virtual void wake() = 0;
  /// Completes the report, once the run is over.
  virtual void complete_report() = 0;

  static constexpr std::uint32_t for_ever = 0xFFFFFFFF; ///< milliseconds
};

/// A policy with its paths resolved on this system.
struct resolved_policy {
  loaded_policy policy;
  std::vector<link_on_the_way> links{}; ///< on granted paths, if a view of this system needs them
};

/// The input of an attempt. What it refers to must outlive the attempt.
struct attempt_input {
  const loaded_policy& policy; ///< resolved
  std::vector<link_on_the_way> links;
  run_request& request;
  report& result;
  availability here;         ///< the mechanism
  selection_result selected; ///< what was decided about it
};

/// Returns: what must exist from before a run opens its first file until after it has closed its last; null: nothing.
[[nodiscard]] std::shared_ptr<void> hold_for_run();
/// Throws: `refused` if the request needs what this system never has.
void check_supported(const run_request& request);
/// Throws: `refused`.
[[nodiscard]] resolved_policy resolve_here(const run_request& request);
/// The arguments in the form that the guard reads.
[[nodiscard]] std::vector<std::string> words_for_guard(const std::vector<std::string>& argv);
/// Throws: `refused`.
[[nodiscard]] std::unique_ptr<attempt> make_attempt(attempt_input input);

} // namespace cordon::shim
