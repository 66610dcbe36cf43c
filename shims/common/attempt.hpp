// SPDX-License-Identifier: BSL-1.0
/// One run on a system that has one way to confine a program, from what it is given to the end of its tree.
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
  virtual ~attempt() = default; ///< ends what still runs

  /// Throws `refused`. What is no program is an outcome, and nothing runs then.
  virtual void start(const std::function<void(const report&)>& before_start) = 0;
  [[nodiscard]] virtual bool is_running() const = 0;
  /// See `running`.
  [[nodiscard]] virtual int descriptor() const = 0;
  [[nodiscard]] virtual int duplicate_descriptor() const = 0;
  virtual bool advance() = 0;
  [[nodiscard]] virtual bool wait_for(std::uint32_t milliseconds) = 0;
  [[nodiscard]] virtual progress so_far() const = 0;
  virtual void cancel() = 0;
  /// The rest of the report, once it is over.
  virtual void tell() = 0;

  static constexpr std::uint32_t for_ever = 0xFFFFFFFF; ///< milliseconds
};

/// The system's own. `policy` is resolved; all of them outlive it. Throws `refused`.
[[nodiscard]] std::unique_ptr<attempt> make_attempt(const loaded_policy& policy, run_request& request, report& r,
                                                    bool confined);

/// The policy with places as the system really has them. Throws `refused`.
[[nodiscard]] loaded_policy resolve_here(const run_request& request);
/// Arguments as the guard reads them.
[[nodiscard]] std::vector<std::string> words_for_guard(const std::vector<std::string>& argv);

} // namespace cordon::shim
