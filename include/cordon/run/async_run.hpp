// SPDX-License-Identifier: BSL-1.0
/// A run on a Boost.Asio executor. No other header of cordon includes Asio.
#pragma once

#include "run.hpp"

#include <boost/asio/async_result.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/error_code.hpp>
#ifdef _WIN32
#include <boost/asio/basic_waitable_timer.hpp>
#else
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#endif

#include <cerrno>
#include <chrono>
#include <memory>
#include <utility>

namespace cordon {

namespace detail {

/// Waits until a run has work. A cancelled wait ends at once.
template <class Executor> class run_events {
public:
  explicit run_events(const Executor& executor) : source_(executor) {}

  [[nodiscard]] auto get_executor() { return source_.get_executor(); }

#ifdef _WIN32
  /// Always true.
  [[nodiscard]] bool open(const process_run& /*program*/) { return true; }
  /// A run on Windows has no single handle that is signalled while it has work.
  template <class Handler> void wait(Handler&& handler) {
    source_.expires_after(std::chrono::milliseconds(10));
    source_.async_wait(std::forward<Handler>(handler));
  }

private:
  boost::asio::basic_waitable_timer<std::chrono::steady_clock, boost::asio::wait_traits<std::chrono::steady_clock>,
                                    Executor>
      source_;
#else
  /// Returns: false if the program has started, and no descriptor is free to wait for it.
  [[nodiscard]] bool open(const process_run& program) {
    if (const int fd = program.duplicate_descriptor(); fd >= 0) source_.assign(fd);
    return source_.is_open() || program.descriptor() < 0;
  }
  template <class Handler> void wait(Handler&& handler) {
    source_.async_wait(boost::asio::posix::descriptor_base::wait_read, std::forward<Handler>(handler));
  }

private:
  boost::asio::posix::basic_stream_descriptor<Executor> source_;
#endif
};

template <class Executor> class async_running {
public:
  async_running(const Executor& executor, run_request request)
      : program_(std::make_unique<process_run>(std::move(request))),
        events_(std::make_unique<run_events<Executor>>(executor)) {}

  template <class Self> void operator()(Self& self, boost::system::error_code failed = {}) {
    if (!std::exchange(started_, true)) {
      self.reset_cancellation_state(boost::asio::enable_total_cancellation());
      lost_ = !events_->open(*program_);
      // If the run is already over, or was refused, the handler still completes later, from the executor.
      return boost::asio::post(events_->get_executor(), std::move(self));
    }
    const auto is_cancelled = [&] { return self.cancelled() != boost::asio::cancellation_type::none; };
    const bool was_cancelled = is_cancelled();
    if (was_cancelled) program_->cancel();
    if (!lost_ && !program_->advance()) {
      // A handler requested cancellation while no wait was pending that it could have ended.
      if (!was_cancelled && is_cancelled()) return boost::asio::post(events_->get_executor(), std::move(self));
      return events_->wait(std::move(self));
    }
    failed = lost_ ? boost::system::error_code(EMFILE, boost::system::system_category()) : boost::system::error_code();
    events_.reset();
    report finished = lost_ ? report() : program_->take();
    program_.reset();
    self.complete(failed, std::move(finished));
  }

private:
  std::unique_ptr<process_run> program_;
  std::unique_ptr<run_events<Executor>> events_;
  bool started_ = false;
  bool lost_ = false; ///< no descriptor was free to wait for the run
};

} // namespace detail

/// Starts the program at once, and completes with `void(error_code, report)` when its process tree has ended. The
/// error_code holds errors of the executor only: what the policy or the host refuses is in the report. Cancellation of
/// any type first ends the tree; the outcome is then `interrupted`.
template <class Executor, class Token> auto async_run(const Executor& executor, run_request request, Token&& token) {
  return boost::asio::async_compose<Token, void(boost::system::error_code, report)>(
      detail::async_running<Executor>(executor, std::move(request)), token, executor);
}

} // namespace cordon
