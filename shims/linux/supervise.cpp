// SPDX-License-Identifier: BSL-1.0
#include "supervise.hpp"

#include "tree.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <iterator>
#include <optional>

namespace cordon::linux_shim {
namespace {

constexpr std::uint64_t none = ~std::uint64_t{0};
constexpr std::uint64_t grace = 2'000'000'000;  // for a program that was asked to end
constexpr std::uint64_t patience = 100'000'000; // with the reader of what a program said that did not end by itself

[[nodiscard]] std::uint64_t now() {
  timespec t{};
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
}

[[nodiscard]] timespec time_until(std::uint64_t deadline, std::uint64_t t) {
  const std::uint64_t rest = t < deadline ? deadline - t : 0;
  return {static_cast<time_t>(rest / 1'000'000'000), static_cast<long>(rest % 1'000'000'000)};
}

/// Those that ask to end, unless they are ignored (nohup(1)), and the one that tells of a terminal's new size.
[[nodiscard]] sigset_t awaited_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int s : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGWINCH}) {
    struct sigaction now {};
    if (::sigaction(s, nullptr, &now) != 0 || now.sa_handler != SIG_IGN) ::sigaddset(&set, s);
  }
  return set;
}

/// The wait status; none if somebody else has it.
[[nodiscard]] std::optional<int> reap(const launched& child) {
  int status = 0;
  for (;;) {
    if (::waitpid(child.pid, &status, 0) >= 0) return status;
    if (errno != EINTR) return std::nullopt;
  }
}

void tell(const launched& child, int signal) {
  ::syscall(SYS_pidfd_send_signal, child.first >= 0 ? child.first : child.pidfd, signal, nullptr, 0);
}

} // namespace

supervisor::supervisor(const terminal* own) : own_(own), set_(awaited_signals()), others_(children_of_others()) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  ::signal(SIGCHLD, SIG_DFL); // whoever ignores it is not told how children end
  ::sigprocmask(SIG_BLOCK, &set_, nullptr);
  signals_ = descriptor(::signalfd(-1, &set_, SFD_CLOEXEC | SFD_NONBLOCK));
}

supervisor::~supervisor() {
  // What was asked a second time while the tree ended has been done.
  signalfd_siginfo late{};
  while (::read(signals_.get(), &late, sizeof late) == sizeof late) {}
  ::sigprocmask(SIG_UNBLOCK, &set_, nullptr);
}

/// Until everything has been passed on, the deadline has come, or somebody asks to end: a reader may take its time.
void supervisor::drain(relays& all, outcome& result, std::uint64_t output, std::uint64_t deadline) const {
  all[0] = relay();
  for (;;) {
    std::array<pollfd, 1 + std::tuple_size_v<relays>> events{{{signals_.get(), POLLIN, 0}}};
    std::size_t open = 0;
    for (std::size_t i = 1; i < all.size(); ++i) {
      events[i] = awaited(all[i]);
      if (all[i].from) ++open;
    }
    const std::uint64_t t = now();
    if (open == 0 || result.output_bytes > output || t >= deadline) return;
    const timespec left = time_until(deadline, t);
    ::ppoll(events.data(), all.size(), deadline == none ? nullptr : &left, nullptr);
    signalfd_siginfo asked{};
    if (::read(signals_.get(), &asked, sizeof asked) == sizeof asked && asked.ssi_signo != SIGWINCH) return;
    for (std::size_t i = 1; i < all.size(); ++i)
      if (events[i].revents != 0) copy(all[i], result.output_bytes, output);
  }
}

outcome supervisor::wait(const launched& child, std::uint64_t timeout, std::uint64_t output, relays all,
                         const control_group* group, descriptor status) {
  const descriptor pidfd(child.pidfd), first(child.first);
  const std::uint64_t start = now();
  std::uint64_t deadline = timeout == none ? none : start + timeout;
  outcome result;
  bool decided = false;
  const auto end = [&](ending how, int number) {
    if (decided) return;
    decided = true;
    result.how = how;
    result.number = number;
  };
  for (bool running = true; running;) {
    pollfd events[2 + all.size()]{{pidfd.get(), POLLIN, 0}, {signals_.get(), POLLIN, 0}};
    for (std::size_t i = 0; i < all.size(); ++i) events[2 + i] = awaited(all[i]);
    const timespec left = time_until(deadline, now());
    ::ppoll(events, std::size(events), deadline == none ? nullptr : &left, nullptr);
    for (std::size_t i = 0; i < all.size(); ++i)
      if (events[2 + i].revents != 0 && (events[2 + i].fd == all[i].from.get() || !all[i].left.empty()))
        copy(all[i], result.output_bytes, output);
    if (output != none && result.output_bytes > output) {
      end(ending::output_quota, 0);
      tell(child, SIGKILL);
      deadline = none;
      all = {};
    }
    if (events[1].revents != 0) {
      signalfd_siginfo asked{};
      const bool is_told = ::read(signals_.get(), &asked, sizeof asked) == sizeof asked;
      if (is_told && asked.ssi_signo == SIGWINCH) {
        if (own_ != nullptr) own_->resize();
      } else if (is_told) {
        end(ending::interrupted, static_cast<int>(asked.ssi_signo));
        tell(child, static_cast<int>(asked.ssi_signo));
        deadline = std::min(deadline, now() + grace);
      }
    }
    if (deadline != none && now() >= deadline) {
      end(ending::timed_out, 0);
      tell(child, SIGKILL);
      deadline = none;
    }
    running = events[0].revents == 0;
  }
  // At once, so that nobody forks faster than he is found. Not reaped yet, the number is the program's own.
  if (group != nullptr) group->end();
  if (::getpgid(child.pid) == child.pid) ::kill(-child.pid, SIGKILL);
  // A first process that says nothing was killed, and the program with it.
  int ended = reap(child).value_or(SIGKILL);
  if (status && ::read(status.get(), &ended, sizeof ended) != sizeof ended) ended = SIGKILL;
  result.wall = now() - start;
  if (WIFEXITED(ended)) end(ending::exited, WEXITSTATUS(ended));
  else end(ending::signaled, WTERMSIG(ended));
  end_tree(others_);
  // With the tree gone every writer is gone: what is left in the pipes is all there will be.
  drain(all, result, output, result.how == ending::exited ? deadline : now() + patience);
  if (output != none && result.output_bytes > output && result.how == ending::exited) {
    result.how = ending::output_quota;
    result.number = 0;
  }
  return result;
}

} // namespace cordon::linux_shim
