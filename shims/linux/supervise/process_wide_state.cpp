// SPDX-License-Identifier: BSL-1.0
#include "process_wide_state.hpp"

#include "tree.hpp"

#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <ctime>

namespace cordon::linux_shim {
namespace {

[[nodiscard]] sigset_t set_of(int signal) {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, signal);
  return set;
}

/// All signals that are events, unless they are ignored (nohup(1)).
[[nodiscard]] sigset_t awaited_signals() {
  sigset_t set = set_of(SIGCHLD);
  for (const int s : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGWINCH, SIGUSR1, SIGUSR2, SIGCONT, SIGTSTP}) {
    struct sigaction now {};
    if (::sigaction(s, nullptr, &now) != 0 || now.sa_handler != SIG_IGN) ::sigaddset(&set, s);
  }
  return set;
}

} // namespace

process_wide_state::process_wide_state(bool alone) {
  if (!alone) {
    others_ = children_of_others();
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  }
  ::signal(SIGCHLD, SIG_DFL); // with SIGCHLD ignored, the kernel discards wait statuses
  set_ = awaited_signals();
  ::sigprocmask(SIG_BLOCK, &set_, nullptr);
  signals_ = descriptor(::signalfd(-1, &set_, SFD_CLOEXEC | SFD_NONBLOCK));
}

process_wide_state::~process_wide_state() {
  while (take().number != 0) {} // signals that arrived while the tree ended need no action
  ::sigprocmask(SIG_UNBLOCK, &set_, nullptr);
}

process_wide_state::received process_wide_state::take() const {
  signalfd_siginfo asked{};
  if (::read(signals_.get(), &asked, sizeof asked) != sizeof asked) return {};
  return {static_cast<int>(asked.ssi_signo), asked.ssi_code == SI_KERNEL};
}

void process_wide_state::stop(int signal, bool whole_job) {
  const sigset_t one = set_of(signal);
  sigset_t before;
  ::sigprocmask(SIG_UNBLOCK, &one, &before);
  ::kill(whole_job ? 0 : ::getpid(), signal); // delivered before it returns, as no other thread could take it
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
}

void process_wide_state::signal_job(int signal) {
  const sigset_t one = set_of(signal);
  const timespec at_once{};
  ::kill(0, signal);
  ::sigtimedwait(&one, nullptr, &at_once); // its own, which is blocked
}

void process_wide_state::end_orphans() const {
  if (others_) end_tree(*others_);
}

} // namespace cordon::linux_shim
