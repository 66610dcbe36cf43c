// SPDX-License-Identifier: BSL-1.0
#include "supervise.hpp"

#include "tree.hpp"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

namespace cordon::linux_shim {
namespace {

constexpr std::uint64_t none = ~std::uint64_t{0};
constexpr std::uint64_t grace = 2'000'000'000;  // for a program that got a request to end
constexpr std::uint64_t patience = 100'000'000; // for processes that still write or read after the end
constexpr std::uint64_t least_look = 2'000'000; // minimum between two checks of the processor time

/// The signals that request the end, unless they are ignored (nohup(1)), and the one for a new terminal size.
[[nodiscard]] sigset_t awaited_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int s : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGWINCH}) {
    struct sigaction now {};
    if (::sigaction(s, nullptr, &now) != 0 || now.sa_handler != SIG_IGN) ::sigaddset(&set, s);
  }
  return set;
}

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

process_wide_state::process_wide_state(bool alone) : set_(awaited_signals()) {
  if (!alone) {
    others_ = children_of_others();
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  }
  ::signal(SIGCHLD, SIG_DFL); // with SIGCHLD ignored, the kernel discards wait statuses
  ::sigprocmask(SIG_BLOCK, &set_, nullptr);
  signals_ = descriptor(::signalfd(-1, &set_, SFD_CLOEXEC | SFD_NONBLOCK));
}

process_wide_state::~process_wide_state() {
  while (take() != 0) {} // signals that arrived while the tree ended need no action
  ::sigprocmask(SIG_UNBLOCK, &set_, nullptr);
}

int process_wide_state::take() const {
  signalfd_siginfo asked{};
  return ::read(signals_.get(), &asked, sizeof asked) == sizeof asked ? static_cast<int>(asked.ssi_signo) : 0;
}

void process_wide_state::end_orphans() const {
  if (others_) end_tree(*others_);
}

supervision::supervision(const surroundings& around, const limits& held) : around_(around), held_(held) {}

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
  all_ = std::move(all);
  alone_ = alone;
  start_ = now();
  if (held_.has(limit::timeout)) deadline_ = start_ + held_[limit::timeout];
  if (around_.group != nullptr && !around_.group->holds(limit::cpu).empty()) look_at_cpu_ = start_;
  expect();
}

progress supervision::so_far() const {
  return {now() - start_, result_.output_bytes, phase_ == phase::running ? resident_in(child_.pid) : 0};
}

void supervision::decide(ending how, int number) {
  if (std::exchange(decided_, true)) return;
  result_.how = how;
  result_.number = number;
}

/// Signals the program, or the init process, which passes the signal on.
void supervision::tell(int signal) const {
  ::syscall(SYS_pidfd_send_signal, first_ ? first_.get() : pidfd_.get(), signal, nullptr, 0);
}

/// Kills all processes that can be found now: once the program has ended, its orphans are no longer below it.
void supervision::kill(ending why, int number) {
  decide(why, number);
  if (!alone_) end_below(child_.pid);
  tell(SIGKILL);
  deadline_ = look_at_cpu_ = waiting::never;
}

/// After a request to end, the program may clean up; after SIGKILL it may not.
void supervision::ask_to_end(int signal) {
  if (phase_ != phase::running) return void(phase_ = phase::over);
  if (signal == SIGKILL) return kill(ending::interrupted, SIGKILL);
  decide(ending::interrupted, signal);
  tell(signal);
  deadline_ = std::min(deadline_, now() + grace);
}

void supervision::take_signals() {
  if (around_.process == nullptr) return;
  while (const int signal = around_.process->take()) {
    if (signal != SIGWINCH) ask_to_end(signal);
    else if (around_.own != nullptr) around_.own->resize();
  }
}

void supervision::keep_time() {
  const std::uint64_t t = now();
  if (t >= deadline_) return kill(ending::timed_out, 0);
  if (t < look_at_cpu_) return;
  const std::uint64_t used = around_.group->cpu_used(), most = held_[limit::cpu];
  if (used >= most) { // SIGXCPU first, as the kernel does for one process
    look_at_cpu_ = waiting::never;
    deadline_ = std::min(deadline_, t + patience);
    decide(ending::cpu_limit, SIGXCPU);
    return tell(SIGXCPU);
  }
  // The limit cannot be reached sooner than with all processors in use.
  const auto processors = static_cast<std::uint64_t>(std::max(::sysconf(_SC_NPROCESSORS_ONLN), 1L));
  look_at_cpu_ = t + std::max((most - used) / processors, least_look);
}

/// EPIPE is the normal end of a pipeline. Every other error loses output that the caller requested.
void supervision::note_lost_output() {
  constexpr std::array<const char*, std::tuple_size_v<relays>> names{"stdin", "stdout", "stderr", "the terminal"};
  for (std::size_t i = 1; i < all_.size(); ++i)
    if (const int error = std::exchange(all_[i].error, 0); error != 0 && error != EPIPE && result_.why.empty())
      result_.why = std::string(names[i]) + ": not all output was written: " + std::strerror(error);
}

void supervision::pass_on() {
  const std::uint64_t most = held_.has(limit::output) ? held_[limit::output] : none;
  std::array<pollfd, std::tuple_size_v<relays>> events;
  for (std::size_t i = 0; i < all_.size(); ++i) events[i] = awaited(all_[i]);
  if (::poll(events.data(), events.size(), 0) <= 0) return;
  for (std::size_t i = 0; i < all_.size(); ++i)
    if (events[i].revents != 0 && (events[i].fd == all_[i].from.get() || all_[i].blocked || !all_[i].left.empty()))
      copy(all_[i], result_.output_bytes, most);
  note_lost_output();
  if (result_.output_bytes <= most) return;
  all_ = {};
  if (phase_ == phase::running) kill(ending::output_quota, 0);
  else if (result_.how == ending::exited) result_.how = ending::output_quota, result_.number = 0;
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
  // An init process without a status was killed, and the program with it.
  if (status_ && ::read(status_.get(), &ended, sizeof ended) != sizeof ended) ended = SIGKILL;
  result_.wall = now() - start_;
  result_.cpu = nanoseconds(used.ru_utime) + nanoseconds(used.ru_stime);
  if (around_.group != nullptr) result_.cpu = std::max(result_.cpu, around_.group->cpu_used());
  result_.memory = static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
  if (around_.group != nullptr && around_.group->is_out_of_memory() && WIFSIGNALED(ended) && WTERMSIG(ended) == SIGKILL)
    decide(ending::memory_limit, SIGKILL);
  if (held_.has(limit::cpu) && WIFSIGNALED(ended) && WTERMSIG(ended) == SIGXCPU) decide(ending::cpu_limit, SIGXCPU);
  if (WIFEXITED(ended)) decide(ending::exited, WEXITSTATUS(ended));
  else decide(ending::signaled, WTERMSIG(ended));
  if (around_.process != nullptr) around_.process->end_orphans();
  pidfd_ = {}, first_ = {};
  all_[0] = relay();
  for (relay& r : all_) settle(r);
  look_at_cpu_ = waiting::never;
  // If the whole tree is gone, no writer is left. The pipes hold all remaining output, and the reader may take any
  // time.
  const bool gone = alone_ || around_.process != nullptr;
  if (!gone || result_.how != ending::exited) deadline_ = now() + patience;
  phase_ = phase::draining;
}

void supervision::expect() {
  std::vector<pollfd> wanted{{pidfd_.get(), POLLIN, 0},
                             {around_.process != nullptr ? around_.process->signals() : -1, POLLIN, 0}};
  if (around_.denied != nullptr) wanted.push_back({around_.denied->descriptor(), POLLIN, 0});
  for (const relay& r : all_) wanted.push_back(awaited(r));
  for (const linux_shim::descriptor& d : dying_) wanted.push_back({d.get(), POLLIN, 0});
  waiting_.expect(wanted, std::min(deadline_, look_at_cpu_));
}

bool supervision::advance() {
  if (phase_ == phase::over) return true;
  if (around_.denied != nullptr) around_.denied->respond();
  pass_on();
  take_signals();
  if (phase_ == phase::running) {
    keep_time();
    if (is_ready(pidfd_.get())) finish();
  }
  if (phase_ == phase::draining) {
    pass_on();
    std::erase_if(dying_, [](const linux_shim::descriptor& d) { return is_ready(d.get()); });
    const bool open = std::any_of(all_.begin(), all_.end(), [](const relay& r) { return r.is_open(); });
    const bool owes =
        result_.how == ending::exited && std::any_of(all_.begin(), all_.end(), [](const relay& r) { return r.owes(); });
    if (owes && now() >= deadline_) deadline_ = waiting::never, late_ = true;
    if ((!open && dying_.empty()) || now() >= deadline_ || (late_ && !owes)) phase_ = phase::over;
  }
  if (phase_ == phase::over) return true;
  expect();
  return false;
}

} // namespace cordon::linux_shim
