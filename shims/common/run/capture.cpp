// SPDX-License-Identifier: BSL-1.0
#include "capture.hpp"

#include <memory>
#include <utility>

namespace cordon::shim {

void capture::stop_listening() {
  {
    const std::lock_guard guard(lock_);
    deaf_ = true;
  }
  heard_.notify_all();
}

capture::~capture() {
  stop_listening();
  for (std::thread& t : threads_)
    if (t.joinable()) t.join();
}

void capture::begin(reader output, reader error) {
  open_ = 2;
  threads_[0] = std::thread([this, from = std::move(output)] { read(stream::output, from); });
  threads_[1] = std::thread([this, from = std::move(error)] { read(stream::error, from); });
}

void capture::read(stream which, const reader& from) {
  constexpr std::size_t room = 64 << 10;
  const std::unique_ptr<char[]> bytes(new char[room]);
  while (const std::size_t n = from(bytes.get(), room)) {
    std::unique_lock guard(lock_);
    heard_.wait(guard, [&] { return waiting_ < most || deaf_; });
    if (deaf_) continue;
    if (pieces_.empty() || pieces_.back().from != which) pieces_.push_back({which, {}});
    pieces_.back().bytes.append(bytes.get(), n);
    waiting_ += n;
    wake_();
  }
  const std::lock_guard guard(lock_);
  --open_;
  wake_();
}

std::vector<capture::piece> capture::take() {
  std::vector<piece> taken;
  {
    const std::lock_guard guard(lock_);
    taken.swap(pieces_);
    waiting_ = 0;
  }
  heard_.notify_all();
  return taken;
}

bool capture::has_ended() {
  const std::lock_guard guard(lock_);
  return open_ == 0;
}

bool capture::is_over() {
  const std::lock_guard guard(lock_);
  return open_ == 0 && pieces_.empty();
}

} // namespace cordon::shim
