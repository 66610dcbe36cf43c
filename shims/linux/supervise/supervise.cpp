// SPDX-License-Identifier: BSL-1.0
#include "supervise.hpp"

#include "../../common/run/clock.hpp"
#include "../isolation/signal_target.hpp"
#include "tree.hpp"

#include <cordon/run/reasons.hpp>
#include <cordon/run/resolve.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

namespace cordon::linux_shim {
namespace {

constexpr std::uint64_t none = ~std::uint64_t{0};
constexpr std::uint64_t output_wait = 100'000'000; // for processes that still write or read after the end
constexpr std::uint64_t least_look = 2'000'000;    // minimum between two checks of the processor time

[[nodiscard]] std::uint64_t nanoseconds(const timeval& t) {
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_usec) * 1000;
}

/// Returns: the wait status; SIGKILL if other code has reaped the child.
[[nodiscard]] int reap(int pid, rusage& used) {
  int status = SIGKILL;
  while (::wait4(pid, &status, 0, &used) < 0 && errno == EINTR) {}
  return status;
}

[[nodiscard]] bool is_ready(int fd) {
  pollfd one{fd, POLLIN, 0};
  return fd >= 0 && ::poll(&one, 1, 0) > 0;
}

} // namespace

supervision::supervision(const surroundings& around, const limits& held) : around_(around), held_(held) {
  if (!around.may_be_woken) return;
  woken_ = linux_shim::descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!woken_) throw refused::because<reasons::no_wait>(std::strerror(errno));
}

supervision::~supervision() {
  if (!pidfd_) return;
  cancel();
  while (!advance()) wait();
}

void supervision::begin(const launched& child, relays all, linux_shim::descriptor status, bool alone) {
  child_ = child;
  pidfd_ = linux_shim::descriptor(child.pidfd);
  first_ = linux_shim::descriptor(child.init_pidfd);
  status_ = std::move(status);
  if (status_) ::fcntl(status_.get(), F_SETFL, O_NONBLOCK);
  all_ = std::move(all);
  alone_ = alone;
  start_ = now();
  if (around_.controlling != nullptr && around_.controlling->has_keys()) start_keys();
  if (held_.has(limit::timeout)) deadline_ = shim::deadline_after(start_, held_[limit::timeout]);
  if (around_.group != nullptr && !around_.group->holds(limit::cpu).empty()) look_at_cpu_ = start_;
  expect();
}

progress supervision::so_far() const {
  const bool runs = phase_ == phase::running;
  return {now() - start_, result_.output_bytes, runs ? resident_in(child_.pid) : 0, runs ? child_.pid : 0};
}

/// Kills all processes that can be found now: once the program has ended, its orphans are no longer below it.
void supervision::kill(ending why, int number) {
  ending_.decide(why, number);
  if (!alone_) {
    send(SIGSTOP, signal_target::program); // a shell would run its next command once its child is killed
    end_below(child_.pid);
  }
  send(SIGKILL, signal_target::program);
  deadline_ = look_at_cpu_ = waiting::never;
}

void supervision::keep_time() {
  const std::uint64_t t = now();
  if (t >= deadline_) return asked_ != 0 ? kill(ending::interrupted, asked_) : kill(ending::timed_out, 0);
  if (t < look_at_cpu_) return;
  const std::uint64_t used = around_.group->cpu_used(), most = held_[limit::cpu];
  if (used >= most) { // SIGXCPU first, as the kernel does for one process
    look_at_cpu_ = waiting::never;
    deadline_ = std::min(deadline_, t + output_wait);
    ending_.decide(ending::cpu_limit, SIGXCPU);
    return send(SIGXCPU, signal_target::program);
  }
  // The limit cannot be reached sooner than with all processors in use.
  const auto processors = static_cast<std::uint64_t>(std::max(::sysconf(_SC_NPROCESSORS_ONLN), 1L));
  look_at_cpu_ = t + std::max((most - used) / processors, least_look);
}

/// EPIPE is the normal end of a pipeline: without cordon, SIGPIPE would have ended the program. Every other error loses output that the caller requested.
void supervision::note_lost_output() {
  constexpr std::array<const char*, std::tuple_size_v<relays>> names{"stdin",        "stdout",       "stderr",
                                                                     "the terminal", "the terminal", "keys"};
  for (std::size_t i = 1; i < of_keys; ++i) {
    result_.reader_gone |= std::exchange(all_[i].lost, false);
    if (const int error = std::exchange(all_[i].error, 0); error != 0 && error != EPIPE && result_.why.empty())
      result_.why = std::string(names[i]) + ": not all output was written: " + std::strerror(error);
  }
}

void supervision::pass_on() {
  const std::uint64_t most = held_.has(limit::output) ? held_[limit::output] : none;
  std::array<pollfd, std::tuple_size_v<relays>> events;
  for (std::size_t i = 0; i < all_.size(); ++i) events[i] = awaited(all_[i]);
  for (relay& r : all_) notice_reader(r);
  if (::poll(events.data(), events.size(), 0) <= 0) return note_lost_output();
  if (around_.controlling != nullptr) around_.controlling->follow_output();
  for (std::size_t i = 0; i < all_.size(); ++i)
    if (events[i].revents != 0 && (events[i].fd == all_[i].from.get() || all_[i].blocked || !all_[i].left.empty()))
      copy(all_[i], result_.output_bytes, most);
  note_lost_output();
  if (result_.output_bytes <= most) return;
  all_ = {};
  if (phase_ == phase::running) kill(ending::output_quota, 0);
  else ending_.exceed_output();
}

/// The child has ended: ends the rest of the tree.
void supervision::finish() {
  // At once, so that no process forks faster than the search. The child is not reaped yet, so its process id is its
  // own.
  if (around_.group != nullptr)
    for (const int fd : around_.group->end()) dying_.emplace_back(fd);
  if (!alone_ && ::getpgid(child_.pid) == child_.pid) ::kill(-child_.pid, SIGKILL);
  rusage used{};
  int ended = reap(child_.pid, used);
  take_stops();
  // An init process without a status was killed, and the program with it.
  if (alone_) ended = final_status_.value_or(SIGKILL);
  result_.wall = now() - start_;
  result_.cpu = nanoseconds(used.ru_utime) + nanoseconds(used.ru_stime);
  if (around_.group != nullptr) result_.cpu = std::max(result_.cpu, around_.group->cpu_used());
  result_.memory = static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
  if (around_.group != nullptr && around_.group->is_out_of_memory() && WIFSIGNALED(ended) && WTERMSIG(ended) == SIGKILL)
    ending_.decide(ending::memory_limit, SIGKILL);
  if (held_.has(limit::cpu) && WIFSIGNALED(ended) && WTERMSIG(ended) == SIGXCPU)
    ending_.decide(ending::cpu_limit, SIGXCPU);
  if (WIFEXITED(ended)) ending_.decide(ending::exited, WEXITSTATUS(ended));
  else if (asked_ != 0) ending_.decide(ending::interrupted, asked_);
  else ending_.decide(ending::signaled, WTERMSIG(ended));
  if (around_.process != nullptr) around_.process->end_orphans();
  pidfd_ = {};
  first_ = {};
  for (const std::size_t inward : {std::size_t{0}, std::size_t{of_keys}}) all_[inward] = relay();
  if (interrupted_ && WIFSIGNALED(ended) && (WTERMSIG(ended) == SIGINT || WTERMSIG(ended) == SIGQUIT))
    around_.process->signal_job(WTERMSIG(ended));
  for (relay& r : all_) settle(r);
  look_at_cpu_ = waiting::never;
  // If the whole tree is gone, no writer is left. The pipes hold all remaining output, and the reader may take any
  // time.
  const bool gone = alone_ || around_.process != nullptr;
  if (!gone || result_.how != ending::exited) deadline_ = now() + output_wait;
  if (around_.ports != nullptr) around_.ports->end();
  phase_ = phase::draining;
}

void supervision::expect() {
  std::vector<pollfd> wanted{{pidfd_.get(), POLLIN, 0},
                             {status_.get(), POLLIN, 0},
                             {around_.process != nullptr ? around_.process->signals() : -1, POLLIN, 0}};
  if (around_.denied != nullptr) wanted.push_back({around_.denied->descriptor(), POLLIN, 0});
  if (around_.ports != nullptr) wanted.push_back({around_.ports->descriptor(), POLLIN, 0});
  if (woken_) wanted.push_back({woken_.get(), POLLIN, 0});
  for (const relay& r : all_) {
    wanted.push_back(awaited(r));
    if (r.may_lose_reader() && wanted.back().fd != r.to.get()) wanted.push_back({r.to.get(), 0, 0});
  }
  for (const linux_shim::descriptor& d : dying_) wanted.push_back({d.get(), POLLIN, 0});
  waiting_.expect(wanted, std::min(deadline_, look_at_cpu_));
}

void supervision::wake() const {
  const std::uint64_t one = 1;
  (void)!::write(woken_.get(), &one, sizeof one);
}

bool supervision::advance() {
  if (phase_ == phase::over) return true;
  std::uint64_t times = 0;
  if (woken_) (void)!::read(woken_.get(), &times, sizeof times);
  if (around_.denied != nullptr) around_.denied->respond();
  pass_on();
  take_signals();
  take_stops();
  if (phase_ == phase::running) {
    keep_time();
    if (is_ready(pidfd_.get())) finish();
  }
  if (phase_ == phase::draining) {
    pass_on();
    std::erase_if(dying_, [](const linux_shim::descriptor& d) { return is_ready(d.get()); });
    const bool open = std::any_of(all_.begin(), all_.end(), [](const relay& r) { return r.is_open(); }) ||
                      (around_.ports != nullptr && !around_.ports->is_over());
    const bool owes =
        result_.how == ending::exited && std::any_of(all_.begin(), all_.end(), [](const relay& r) { return r.owes(); });
    if (owes && now() >= deadline_) {
      deadline_ = waiting::never;
      late_ = true;
    }
    if ((!open && dying_.empty()) || now() >= deadline_ || (late_ && !owes)) phase_ = phase::over;
  }
  if (phase_ == phase::over) return true;
  expect();
  return false;
}

} // namespace cordon::linux_shim
