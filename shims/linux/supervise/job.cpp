// SPDX-License-Identifier: BSL-1.0
/// The run as a job of the user's shell: signals go to the program, ^Z stops both, and the program gets keys when it is
/// its turn.
#include "supervise.hpp"

#include "../isolation/signal_target.hpp"

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace cordon::linux_shim {
namespace {

constexpr std::uint64_t grace = 2'000'000'000; // for a program that got a request to end

[[nodiscard]] std::uint32_t target_of(bool by_terminal) {
  return by_terminal ? signal_target::group : signal_target::program;
}

/// pidfd_send_signal(2) of a value, which only the init process reads.
void send_with_value(int pidfd, int signal, std::uint32_t value) {
  siginfo_t info{};
  info.si_signo = signal;
  info.si_code = SI_QUEUE;
  info.si_pid = ::getpid();
  info.si_uid = ::getuid();
  info.si_value.sival_int = static_cast<int>(value);
  ::syscall(SYS_pidfd_send_signal, pidfd, signal, value == signal_target::program ? nullptr : &info, 0);
}

} // namespace

/// Signals the program, or the init process, which passes the signal on. A child that is not reaped keeps its process
/// id, and the group that it leads.
void supervision::send(int signal, std::uint32_t to) const {
  if (alone_) return send_with_value(first_ ? first_.get() : pidfd_.get(), signal, to);
  const int sent = (to & signal_target::everyone) != 0 && signal == SIGTSTP ? SIGSTOP : signal;
  if (to == signal_target::program || ::getpgid(child_.pid) != child_.pid || ::kill(-child_.pid, sent) != 0)
    send_with_value(pidfd_.get(), sent, signal_target::program);
}

/// After a request to end, the program may clean up; after SIGKILL it may not.
void supervision::ask_to_end(int signal, std::uint32_t to) {
  if (phase_ != phase::running) return void(phase_ = phase::over);
  if (signal == SIGKILL) return kill(ending::interrupted, SIGKILL);
  asked_ = signal;
  send(signal, to);
  deadline_ = std::min(deadline_, now() + grace);
}

void supervision::take_signals() {
  if (around_.process == nullptr) return;
  for (process_wide_state::received next = around_.process->take(); next.number != 0; next = around_.process->take())
    pass_signal(next);
}

void supervision::pass_signal(process_wide_state::received which) {
  const std::uint32_t to = target_of(which.by_terminal);
  switch (which.number) {
  case SIGCHLD: return take_own_stop();
  case SIGINT:
  case SIGQUIT:
  case SIGTERM: return ask_to_end(which.number, to);
  case SIGHUP:
    if (phase_ != phase::running) phase_ = phase::over;
    break;
  case SIGWINCH:
    resize();
    // The program's terminal has sent its own signal.
    if (which.by_terminal && (around_.controlling != nullptr || around_.output == nullptr)) return;
    break;
  case SIGTSTP: stop_passed_ = true; break;
  default: break;
  }
  if (phase_ != phase::running) return;
  send(which.number, to);
  // The terminal is gone; the kernel continues what was stopped at it, too.
  if (which.number == SIGHUP && which.by_terminal) send(SIGCONT, to);
}

void supervision::resize() const {
  for (const terminal* own : {around_.output, around_.controlling})
    if (own != nullptr) own->resize();
}

/// Reads the wait statuses that the init process has written.
void supervision::take_stops() {
  int status = 0;
  while (status_ && ::read(status_.get(), &status, sizeof status) == sizeof status)
    if (WIFSTOPPED(status)) stopped(WSTOPSIG(status));
    else {
      final_status_ = status;
      status_ = {};
    }
}

/// The same for a program without an init process.
void supervision::take_own_stop() {
  if (alone_ || phase_ != phase::running) return;
  siginfo_t info{};
  if (::waitid(P_PID, static_cast<id_t>(child_.pid), &info, WSTOPPED | WNOHANG) == 0 && info.si_pid == child_.pid)
    stopped(info.si_status);
}

/// The program gets what the user types. Returns: false if this process is not in the foreground.
bool supervision::start_keys() {
  terminal& own = *around_.controlling;
  if (!own.take_keys()) return false;
  if (all_[of_keys].from) return true;
  key_listener_ = [this](std::string_view keys) { interrupted_ |= around_.controlling->interrupts(keys); };
  all_[of_keys] = {.from = own.user(), .to = own.outer(), .inward = true, .listener = &key_listener_};
  return true;
}

void supervision::stopped(int signal) {
  terminal* const own = around_.controlling;
  const bool waits_for_keys = own != nullptr && (signal == SIGTTIN || signal == SIGTTOU);
  if (phase_ != phase::running || around_.process == nullptr) return;
  if (waits_for_keys) {
    if (start_keys()) return send(SIGCONT, signal_target::group | signal_target::foreground);
    suspend(signal, false);
    if (!start_keys()) own->end_input(); // no shell can move this process to the foreground
    return send(SIGCONT, signal_target::everyone | signal_target::foreground);
  }
  const bool has_keys = own != nullptr && own->has_keys();
  // A program without a terminal that stops itself must not stop what keeps its limits.
  if (!std::exchange(stop_passed_, false) && !has_keys) return;
  suspend(signal == SIGSTOP ? SIGTSTP : signal, has_keys);
  const bool background = has_keys && !start_keys();
  send(SIGCONT, signal_target::everyone | (background ? signal_target::background : 0));
}

/// Stops the run and this process until the shell continues this one. Everything is stopped, because a stopped process
/// enforces no limit.
void supervision::suspend(int signal, bool whole_job) {
  all_[of_keys] = relay();
  if (around_.controlling != nullptr) around_.controlling->give_keys_back();
  send(SIGTSTP, signal_target::everyone);
  around_.process->stop(signal, whole_job);
  resize();
}

} // namespace cordon::linux_shim
