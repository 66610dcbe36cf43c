// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/stop.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace cordon {

struct detail::stop_state {
  std::atomic<std::uint32_t> owners{1};
  std::mutex lock; ///< held while functions are called, so that destruction waits for them
  bool requested = false;
  std::vector<run_stop_callback*> callbacks{};

  [[nodiscard]] bool is_requested() {
    const std::lock_guard guard(lock);
    return requested;
  }
};

detail::stop_owner::stop_owner(const stop_owner& other) noexcept : state_(other.state_) {
  if (state_ != nullptr) ++state_->owners;
}

detail::stop_owner::~stop_owner() {
  if (state_ != nullptr && state_->owners.fetch_sub(1) == 1) delete state_;
}

bool run_stop_token::stop_requested() const { return state_ && state_->is_requested(); }

run_stop_source::run_stop_source() : state_(new detail::stop_state()) {}

void run_stop_source::request_stop() const {
  const std::lock_guard guard(state_->lock);
  if (std::exchange(state_->requested, true)) return;
  for (const run_stop_callback* const c : state_->callbacks) c->call_();
}

bool run_stop_source::stop_requested() const { return state_->is_requested(); }

run_stop_token run_stop_source::get_token() const {
  run_stop_token token;
  token.state_ = state_;
  return token;
}

run_stop_callback::run_stop_callback(const run_stop_token& token, callback<void()> call)
    : state_(token.state_), call_(std::move(call)) {
  if (!state_) return;
  const std::lock_guard guard(state_->lock);
  if (state_->requested) call_();
  else state_->callbacks.push_back(this);
}

run_stop_callback::~run_stop_callback() {
  if (!state_) return;
  const std::lock_guard guard(state_->lock);
  std::erase(state_->callbacks, this);
}

} // namespace cordon
