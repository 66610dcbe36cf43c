// SPDX-License-Identifier: BSL-1.0
// The reaper: the init process of a pid namespace executes it once the program, process 2, runs. It reaps, passes on
// signals, and ends with the program or the launcher. The kernel then kills every process of the namespace. A
// freestanding executable of a few KiB, so that it contains nothing of the launching process. Descriptor 3 reaches its
// end when the launcher ends. The reaper writes the program's wait status to descriptor 4, if it is open; with an
// argument also each time that the program is stopped. Descriptor 5 is the terminal of its session, if it has one.
#include "../child/nolibc.hpp"
#include "signal_target.hpp"

#include <cstddef>
#include <cstdint>

#include <asm/ioctls.h>
#include <asm/siginfo.h>
#include <asm/unistd.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/poll.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <linux/signal.h>
#include <linux/signalfd.h>
#include <linux/wait.h>

namespace {

using namespace cordon::linux_shim;

#if defined(__x86_64__)
constexpr std::uint32_t machine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t machine = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t machine = AUDIT_ARCH_RISCV64;
#endif

long at(const void* p) { return reinterpret_cast<long>(p); }

constexpr int launcher = 3, status = 4, terminal = 5, program = 2;

[[noreturn]] void end(int code) {
  for (;;) bare_call(__NR_exit_group, code);
}

constexpr std::uint32_t allowed[]{__NR_ppoll, __NR_read, __NR_wait4, __NR_kill, __NR_write, __NR_exit_group};
constexpr std::size_t count = sizeof allowed / sizeof *allowed;

struct instructions {
  sock_filter code[count + 8];
};

/// The low half of the second argument, on a little-endian machine.
constexpr std::uint32_t second = offsetof(seccomp_data, args) + sizeof(std::uint64_t);

constexpr instructions filter_of_allowed() {
  instructions made{{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
                     BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, machine, 0, count + 4),
                     BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))}};
  for (std::size_t i = 0; i < count; ++i)
    made.code[3 + i] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, allowed[i], static_cast<std::uint8_t>(count + 3 - i), 0);
  made.code[3 + count] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_ioctl, 0, 2);
  made.code[4 + count] = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, second);
  made.code[5 + count] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, TIOCSPGRP, 1, 0);
  made.code[6 + count] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  made.code[7 + count] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  return made;
}

/// Made at compile time: at run time, GCC for arm64 calls memset, which is missing here.
constexpr instructions locked = filter_of_allowed();

/// Limits the calls of a process that takes control of the reaper.
void lock() {
  const sock_fprog filter{count + 8, const_cast<sock_filter*>(locked.code)};
  if (bare_call(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, at(&filter)) != 0) end(125);
}

constexpr bool is_stop(int ended) { return (ended & 0xFF) == 0x7F; }

/// Reaps all ended processes. Ends when the program has ended.
void reap(long options) {
  for (;;) {
    int ended = 0;
    const long pid = bare_call(__NR_wait4, -1, at(&ended), options);
    if (pid <= 0) return;
    if (pid != program) continue;
    bare_call(__NR_write, status, at(&ended), sizeof ended);
    if (is_stop(ended)) continue;
    const int signal = ended & 0x7F;
    end(signal != 0 ? 128 + signal : ended >> 8 & 0xFF);
  }
}

/// Passes a signal on to the program, or to those that cordon has chosen with it.
void pass_on(const signalfd_siginfo& received) {
  const auto to = received.ssi_code == SI_QUEUE ? static_cast<std::uint32_t>(received.ssi_int) : 0;
  const int signal = static_cast<int>(received.ssi_signo);
  const int group = (to & signal_target::foreground) != 0 ? program : 1;
  if ((to & (signal_target::foreground | signal_target::background)) != 0)
    bare_call(__NR_ioctl, terminal, TIOCSPGRP, at(&group));
  if ((to & signal_target::everyone) != 0) bare_call(__NR_kill, -1, signal == SIGTSTP ? SIGSTOP : signal);
  else if ((to & signal_target::group) == 0 || bare_call(__NR_kill, -program, signal) != 0)
    bare_call(__NR_kill, program, signal);
}

} // namespace

extern "C" [[noreturn]] void serve(const long* stack) {
  // The signals are blocked since before this process started: none is lost, and none from outside is ignored.
  const std::uint64_t all = ~std::uint64_t{0};
  const long signals = bare_call(__NR_signalfd4, -1, at(&all), sizeof all, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signals < 0 || bare_call(__NR_prctl, PR_SET_DUMPABLE, 0) != 0) end(125);
  lock();
  const long options = stack[0] > 1 ? WNOHANG | WUNTRACED : WNOHANG;
  for (;;) {
    pollfd events[]{{launcher, 0, 0}, {static_cast<int>(signals), POLLIN, 0}};
    bare_call(__NR_ppoll, at(events), 2);
    if (events[0].revents != 0) end(125);
    signalfd_siginfo received;
    received.ssi_signo = SIGCHLD;
    while (bare_call(__NR_read, signals, at(&received), sizeof received) == sizeof received)
      if (received.ssi_signo != SIGCHLD) pass_on(received);
    reap(options);
  }
}
