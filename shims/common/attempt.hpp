// SPDX-License-Identifier: BSL-1.0
/// One run on a system with a single means to confine a program, from its input to the end of its tree.
#pragma once

#include <cordon/policy/heap.hpp>
#include <cordon/run/run.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cordon::shim {

class attempt {
public:
  attempt() = default;
  attempt(const attempt&) = delete;
  attempt& operator=(const attempt&) = delete;
  virtual ~attempt() = default; ///< ends the tree if it still runs

  /// Throws: `refused`. A missing program is an outcome; then nothing runs.
  virtual void start(const std::function<void(const report&)>& before_start) = 0;
  [[nodiscard]] virtual bool is_running() const = 0;
  /// See `process_run`.
  [[nodiscard]] virtual int descriptor() const = 0;
  [[nodiscard]] virtual int duplicate_descriptor() const = 0;
  virtual bool advance() = 0;
  [[nodiscard]] virtual bool wait_for(std::uint32_t milliseconds) = 0;
  [[nodiscard]] virtual progress so_far() const = 0;
  virtual void cancel() = 0;
  /// Completes the report, once the run is over.
  virtual void tell() = 0;

  static constexpr std::uint32_t for_ever = 0xFFFFFFFF; ///< milliseconds
};

/// Returns: the implementation of this system. `policy` is resolved; all arguments must outlive it. Throws: `refused`.
[[nodiscard]] std::unique_ptr<attempt> make_attempt(const loaded_policy& policy, run_request& request, report& r,
                                                    bool confined);

/// Returns: the policy with its paths resolved on this system. Throws: `refused`.
[[nodiscard]] loaded_policy resolve_here(const run_request& request);
/// The arguments in the form that the guard reads.
[[nodiscard]] std::vector<std::string> words_for_guard(const std::vector<std::string>& argv);

} // namespace cordon::shim
