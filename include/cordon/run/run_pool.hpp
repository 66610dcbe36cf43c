// SPDX-License-Identifier: BSL-1.0
/// Many runs, a few at a time.
#pragma once

#include "run.hpp"

#include <cstddef>
#include <future>
#include <memory>
#include <string_view>

namespace cordon {

/// Runs requests on threads of its own, at most `width` at a time. All functions are for any thread.
///
/// Each request belongs to a queue. A queue keeps its order, and the queues take turns: one that has many requests does
/// not hold up another. A request is ended early by its own `stop`. If it still waits then, it does not start, and its
/// report is ready when its turn comes.
class run_pool {
public:
  /// Requests of a pool.
  struct counts {
    std::size_t running = 0; ///< started, and not over
    std::size_t waiting = 0; ///< submitted, and not started
  };

  /// `width`: at least 1. Each running request takes a thread and about ten file descriptors.
  [[gnu::abi_tag("abi_0")]] explicit run_pool(std::size_t width);
  run_pool(const run_pool&) = delete;
  run_pool& operator=(const run_pool&) = delete;
  ~run_pool(); ///< cancels all requests, and waits until they are over

  /// Returns: the report, later. If `on_output` throws, the future has its exception instead. A request with
  /// `owns_process` is refused. A policy from `load_policy` can serve any number of requests. Throws:
  /// std::system_error if no thread can be started.
  [[nodiscard]] std::future<report> submit(run_request request, std::string_view queue = {});
  /// Ends what runs and drops what waits, of one queue or of all; the outcomes are `interrupted`.
  void cancel(std::string_view queue);
  void cancel(); ///< Ends what runs and drops what waits, of all queues.
  /// Waits until no request runs or waits.
  void wait();
  [[nodiscard]] counts so_far() const; ///< What runs and waits now.

private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

} // namespace cordon
