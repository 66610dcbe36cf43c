// SPDX-License-Identifier: BSL-1.0
#include "../decide.hpp"

#include <cordon/run/reasons.hpp>
#include <cordon/run/run_pool.hpp>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <list>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace cordon {

struct run_pool::parts {
  /// A request, from its submission to its report.
  struct job {
    std::string queue;
    run_request request;
    std::promise<report> completed{};
    run_stop_source ended{}; ///< by the pool

    /// Runs the request until it is over, or until its caller or the pool stops it.
    [[nodiscard]] report run_to_end();
    void complete();
  };

  explicit parts(std::size_t most) : width(std::max<std::size_t>(most, 1)) {}

  void add(job j);
  /// Another thread, if all are busy. Throws: std::system_error if there is none at all.
  void provide_thread();
  void work();
  void cancel(const std::string_view* queue);
  /// The next job; the queues take turns. Call it with `lock` held and something waiting.
  [[nodiscard]] job take();

  const std::size_t width;
  mutable std::mutex lock;
  std::condition_variable added, idle;
  std::list<std::deque<job>> queues; ///< none is empty; the first one's turn is next
  std::list<job*> running;
  std::size_t waiting = 0;
  bool over = false;
  std::vector<std::thread> threads;
};

report run_pool::parts::job::run_to_end() {
  const run_stop_callback by_caller(request.stop, [this] { ended.request_stop(); });
  request.stop = ended.get_token();
  return run(std::move(request));
}

void run_pool::parts::job::complete() {
  try {
    completed.set_value(run_to_end());
  } catch (...) { completed.set_exception(std::current_exception()); }
}

void run_pool::parts::provide_thread() {
  if (threads.size() == width || running.size() + waiting < threads.size()) return;
  try {
    threads.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    if (threads.empty()) throw;
  }
}

void run_pool::parts::add(job j) {
  const std::lock_guard guard(lock);
  provide_thread();
  const auto same =
      std::find_if(queues.begin(), queues.end(), [&](const std::deque<job>& q) { return q.front().queue == j.queue; });
  if (same != queues.end()) same->push_back(std::move(j));
  else { // so that no empty queue stays if there is no memory
    std::list<std::deque<job>> own(1);
    own.front().push_back(std::move(j));
    queues.splice(queues.end(), own);
  }
  ++waiting;
  added.notify_one();
}

run_pool::parts::job run_pool::parts::take() {
  std::deque<job>& first = queues.front();
  job j = std::move(first.front());
  first.pop_front();
  --waiting;
  if (first.empty()) queues.pop_front();
  else queues.splice(queues.end(), queues, queues.begin());
  return j;
}

void run_pool::parts::work() {
  std::unique_lock guard(lock);
  for (;;) {
    added.wait(guard, [&] { return over || waiting > 0; });
    if (waiting == 0) return;
    job now = take();
    const auto here = running.insert(running.end(), &now);
    guard.unlock();
    now.complete();
    guard.lock();
    running.erase(here);
    if (running.empty() && waiting == 0) idle.notify_all();
  }
}

void run_pool::parts::cancel(const std::string_view* queue) {
  const std::lock_guard guard(lock);
  const auto is_meant = [&](const job& j) { return queue == nullptr || j.queue == *queue; };
  for (job* const j : running)
    if (is_meant(*j)) j->ended.request_stop();
  for (std::deque<job>& q : queues)
    for (job& j : q)
      if (is_meant(j)) j.ended.request_stop(); // a thread still takes it, and reports that it was interrupted
}

run_pool::run_pool(std::size_t width) : parts_(std::make_unique<parts>(width)) {}

run_pool::~run_pool() {
  cancel();
  {
    const std::lock_guard guard(parts_->lock);
    parts_->over = true;
    parts_->added.notify_all();
  }
  for (std::thread& t : parts_->threads) t.join();
}

std::future<report> run_pool::submit(run_request request, std::string_view queue) {
  parts::job j{std::string(queue), std::move(request)};
  std::future<report> later = j.completed.get_future();
  if (j.request.owns_process) j.completed.set_value(shim::empty_report(reasons::pool_owns_process));
  else parts_->add(std::move(j));
  return later;
}

void run_pool::cancel(std::string_view queue) { parts_->cancel(&queue); }
void run_pool::cancel() { parts_->cancel(nullptr); }

void run_pool::wait() {
  std::unique_lock guard(parts_->lock);
  parts_->idle.wait(guard, [&] { return parts_->running.empty() && parts_->waiting == 0; });
}

run_pool::counts run_pool::so_far() const {
  const std::lock_guard guard(parts_->lock);
  return {parts_->running.size(), parts_->waiting};
}

} // namespace cordon
