// SPDX-License-Identifier: BSL-1.0
#include "vfork.hpp"

#include "clone3.hpp"
#include "raw_syscall.hpp"
#include "spare_stack.hpp"

#include <bit>
#include <csignal>
#include <cstdint>
#include <sched.h>
#include <sys/wait.h>
#include <utility>

namespace cordon::linux_shim {
namespace {

// Not in the oldest supported headers: linux/sched.h has them since 5.5 and 5.7.
constexpr std::uint64_t clear_handlers = 0x100000000, into_cgroup = 0x200000000;

constexpr std::size_t mask_size = 8; // the kernel's sigset_t; glibc's is larger

template <class... Signals> constexpr std::uint64_t set_of(Signals... each) {
  return (... | (std::uint64_t{1} << (each - 1)));
}

constexpr std::uint64_t all_signals = ~set_of(SIGKILL, SIGSTOP);
/// The signals whose behavior changes when they are ignored. The kernel delivers faults whatever their disposition
/// (force_sig_info_to_task, kernel/signal.c). SIGURG and SIGWINCH do nothing by default, SIGCONT always continues,
/// abort(3) resets SIGABRT, and programs do not ignore real-time signals. Each signal costs 0.04% of a launch.
constexpr std::uint64_t worth_ignoring =
    set_of(SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGPIPE, SIGALRM, SIGTERM, SIGCHLD, SIGTSTP, SIGTTIN, SIGTTOU,
           SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGIO, SIGPWR);

struct beginning {
  void (*entry)(void*) noexcept;
  void* data;
  std::uint64_t reset; ///< signals by number - 1
};

// Resets caught signals if clone3 did not: a handler of the parent would run in the child on the parent's memory. Also
// resets ignored signals: clone3 (flush_signal_handlers, kernel/signal.c) and exec leave them ignored, and programs
// fail with an ignored SIGPIPE or SIGCHLD.
void begin(void* data) noexcept {
  const auto& child = *static_cast<const beginning*>(data);
  struct {
    void (*handler)(int) = SIG_DFL;
    unsigned long flags = 0;
    void (*restorer)() = nullptr;
    std::uint64_t mask = 0;
  } const by_default;
  for (std::uint64_t left = child.reset; left != 0; left &= left - 1)
    raw_syscall(SYS_rt_sigaction, std::countr_zero(left) + 1, &by_default, nullptr, mask_size);
  child.entry(child.data);
}

int begin_after_clone(void* data) noexcept {
  begin(data);
  return 0;
}

} // namespace

vforked vfork_run(std::uint64_t flags, int& cgroup, void (*entry)(void*) noexcept, void* data) noexcept {
  const spare_stack stack;
  return vfork_run(stack, flags, cgroup, entry, data);
}

vforked vfork_run(const spare_stack& stack, std::uint64_t flags, int& cgroup, void (*entry)(void*) noexcept,
                  void* data) noexcept {
  vforked child;
  if (!stack) {
    child.error = ENOMEM;
    return child;
  }
  flags |= CLONE_VM | CLONE_VFORK | CLONE_PIDFD;

  // A raw call: the library's wrapper does not block its two internal signals (cancellation, setuid), and their
  // handlers must not run in the child either.
  const std::uint64_t all = ~std::uint64_t{0};
  std::uint64_t before = 0;
  raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, mask_size);

  clone_args args{};
  args.flags = flags | clear_handlers | (cgroup >= 0 ? into_cgroup : 0);
  args.cgroup = cgroup >= 0 ? static_cast<std::uint64_t>(cgroup) : 0;
  args.pidfd = reinterpret_cast<std::uintptr_t>(&child.pidfd);
  args.exit_signal = SIGCHLD;
  args.stack = reinterpret_cast<std::uintptr_t>(stack.base());
  args.stack_size = spare_stack::size;
  const int group = std::exchange(cgroup, -1);
  beginning start{entry, data, worth_ignoring};
  long pid = clone3_run(&args, begin, &start);
  child.clone3 = pid > 0;

  // ENOSYS or EPERM: no such call, or a filter that cannot check its argument. E2BIG or EINVAL: the kernel is older
  // than one of the flags.
  if (pid == -ENOSYS || pid == -EPERM || pid == -E2BIG || pid == -EINVAL) {
    cgroup = group;
    start.reset = all_signals;
    const int made = ::clone(begin_after_clone, stack.top(), static_cast<int>(flags | SIGCHLD), &start, &child.pidfd);
    pid = made < 0 ? -errno : made;
  }
  raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, nullptr, mask_size);

  if (pid < 0) child.error = static_cast<int>(-pid);
  else child.pid = static_cast<int>(pid);
  return child;
}

int bring_down(vforked& child) noexcept {
  siginfo_t ended{};
  raw_syscall(SYS_pidfd_send_signal, child.pidfd, SIGKILL, nullptr, 0);
  long answer = 0;
  do { answer = raw_syscall(SYS_waitid, P_PIDFD, child.pidfd, &ended, WEXITED, nullptr); } while (answer == -EINTR);
  raw_syscall(SYS_close, child.pidfd);
  child.pid = child.pidfd = -1;
  return answer == 0 ? ended.si_status : -1;
}

} // namespace cordon::linux_shim
