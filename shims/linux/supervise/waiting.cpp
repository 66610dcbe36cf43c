// SPDX-License-Identifier: BSL-1.0
#include "waiting.hpp"

#include <cordon/run/reasons.hpp>
#include <cordon/run/resolve.hpp>

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <string>

namespace cordon::linux_shim {
namespace {

[[nodiscard]] descriptor sure(int fd) {
  if (fd < 0) throw refused::because<reasons::no_wait>(std::strerror(errno));
  return descriptor(fd);
}

[[nodiscard]] bool add(const descriptor& to, int fd, short events) {
  epoll_event e{};
  e.events = static_cast<std::uint32_t>(events); // EPOLLIN and EPOLLOUT are POLLIN and POLLOUT
  return ::epoll_ctl(to.get(), EPOLL_CTL_ADD, fd, &e) == 0;
}

[[nodiscard]] bool same(const pollfd& a, const pollfd& b) { return a.fd == b.fd && a.events == b.events; }

} // namespace

std::uint64_t now() {
  timespec t{};
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
}

waiting::waiting()
    : all_(sure(::epoll_create1(EPOLL_CLOEXEC))),
      timer_(sure(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK))),
      ready_(sure(::eventfd(1, EFD_CLOEXEC))) {
  (void)add(all_, timer_.get(), POLLIN);
}

void waiting::expect(std::span<const pollfd> wanted, std::uint64_t moment) {
  if (!some_ || !std::equal(wanted.begin(), wanted.end(), wanted_.begin(), wanted_.end(), same)) {
    wanted_.assign(wanted.begin(), wanted.end());
    some_ = sure(::epoll_create1(EPOLL_CLOEXEC));
    bool always = false;
    for (const pollfd& w : wanted_)
      if (w.fd >= 0 && !add(some_, w.fd, w.events)) always = true; // EPERM: a regular file
    if (always) (void)add(some_, ready_.get(), POLLIN);
    (void)add(all_, some_.get(), POLLIN);
  }
  if (moment == moment_) return;
  moment_ = moment;
  itimerspec at{};
  if (moment != never) {
    at.it_value.tv_sec = static_cast<time_t>(moment / 1'000'000'000);
    at.it_value.tv_nsec = std::max(static_cast<long>(moment % 1'000'000'000), 1L); // all zero would mean never
  }
  ::timerfd_settime(timer_.get(), TFD_TIMER_ABSTIME, &at, nullptr);
}

void waiting::wait() const {
  epoll_event any{};
  while (::epoll_wait(all_.get(), &any, 1, -1) < 0 && errno == EINTR) {}
}

} // namespace cordon::linux_shim
