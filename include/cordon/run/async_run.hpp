// SPDX-License-Identifier: BSL-1.0
/// A run on a Boost.Asio executor. No other header of cordon includes Asio.
#pragma once

#include "run.hpp"

#include <boost/asio/async_result.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/error_code.hpp>

#include <cerrno>
#include <memory>
#include <utility>

namespace cordon {

namespace detail {

template <class Executor> class async_running {
public:
  async_running(const Executor& executor, run_request request)
      : program_(std::make_unique<process_run>(std::move(request))), events_(std::make_unique<events>(executor)) {}

  template <class Self> void operator()(Self& self, boost::system::error_code failed = {}) {
    if (!std::exchange(started_, true)) {
      self.reset_cancellation_state(boost::asio::enable_total_cancellation());
      if (const int fd = program_->duplicate_descriptor(); fd >= 0) events_->assign(fd);
      // If the run is already over, or was refused, the handler still completes later, from the executor.
      return boost::asio::post(events_->get_executor(), std::move(self));
    }
    const auto is_cancelled = [&] { return self.cancelled() != boost::asio::cancellation_type::none; };
    const bool was_cancelled = is_cancelled();
    if (was_cancelled) program_->cancel();
    const bool lost = program_->descriptor() >= 0 && !events_->is_open();
    if (!lost && !program_->advance()) {
      // A handler requested cancellation while no wait was pending that it could have ended.
      if (!was_cancelled && is_cancelled()) return boost::asio::post(events_->get_executor(), std::move(self));
      return events_->async_wait(boost::asio::posix::descriptor_base::wait_read, std::move(self));
    }
    failed = lost ? boost::system::error_code(EMFILE, boost::system::system_category()) : boost::system::error_code();
    events_.reset();
    report told = lost ? report() : program_->take();
    program_.reset();
    self.complete(failed, std::move(told));
  }

private:
  using events = boost::asio::posix::basic_stream_descriptor<Executor>;

  std::unique_ptr<process_run> program_;
  std::unique_ptr<events> events_;
  bool started_ = false;
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
