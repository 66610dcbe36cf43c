// SPDX-License-Identifier: BSL-1.0
/// A run on an executor of Boost.Asio, whose headers nothing else in cordon needs.
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
      // What is over by now, or never began, is told later all the same.
      return boost::asio::post(events_->get_executor(), std::move(self));
    }
    const auto is_cancelled = [&] { return self.cancelled() != boost::asio::cancellation_type::none; };
    const bool was_cancelled = is_cancelled();
    if (was_cancelled) program_->cancel();
    const bool lost = program_->descriptor() >= 0 && !events_->is_open();
    if (!lost && !program_->advance()) {
      // A listener cancelled, while there was no wait to be ended by it.
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

/// Starts the program at once, and completes with `void(error_code, report)` when its tree has ended. An error is one of
/// the executor's: what a policy or a host refuses is in the report. Cancellation of any type ends the tree first, the
/// outcome is `interrupted`.
template <class Executor, class Token> auto async_run(const Executor& executor, run_request request, Token&& token) {
  return boost::asio::async_compose<Token, void(boost::system::error_code, report)>(
      detail::async_running<Executor>(executor, std::move(request)), token, executor);
}

} // namespace cordon
