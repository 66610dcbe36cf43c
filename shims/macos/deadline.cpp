// SPDX-License-Identifier: BSL-1.0
#include "deadline.hpp"

#include <chrono>
#include <utility>

namespace cordon::macos_shim {

void deadline::begin(std::function<void()> wake) {
  clock_ = std::thread([this, call = std::move(wake)] { run(call); });
}

void deadline::run(const std::function<void()>& wake) {
  std::unique_lock guard(lock_);
  while (!is_over_) {
    if (moment_ == shim::never) {
      changed_.wait(guard);
      continue;
    }
    if (const std::uint64_t t = shim::now(); t < moment_) {
      changed_.wait_for(guard, std::chrono::nanoseconds(moment_ - t));
      continue;
    }
    moment_ = shim::never;
    late_ = true;
    wake();
  }
}

void deadline::set(std::uint64_t moment) {
  {
    const std::lock_guard guard(lock_);
    late_ = false;
    moment_ = moment;
  }
  changed_.notify_all();
}

void deadline::stop() {
  {
    const std::lock_guard guard(lock_);
    is_over_ = true;
  }
  changed_.notify_all();
  if (clock_.joinable()) clock_.join();
}

} // namespace cordon::macos_shim
