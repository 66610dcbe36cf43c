// SPDX-License-Identifier: BSL-1.0
// The reaper: the init process of a pid namespace executes it once the program, process 2, runs. It reaps, passes on
// the signals that request the end, and ends with the program or the launcher. The kernel then kills every process of
// the namespace. A freestanding executable of a few KiB, so that it contains nothing of the launching process.
// Descriptor 3 reaches its end when the launcher ends. The reaper writes the program's wait status to descriptor 4, if
// it is open.
#include "../child/nolibc.hpp"

#include <cstddef>
#include <cstdint>

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

using cordon::linux_shim::bare_call;

#if defined(__x86_64__)
constexpr std::uint32_t machine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t machine = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t machine = AUDIT_ARCH_RISCV64;
#endif

long at(const void* p) { return reinterpret_cast<long>(p); }

constexpr int launcher = 3, status = 4, program = 2;

[[noreturn]] void end(int code) {
  for (;;) bare_call(__NR_exit_group, code);
}

constexpr std::uint32_t allowed[]{__NR_ppoll, __NR_read, __NR_wait4, __NR_kill, __NR_write, __NR_exit_group};
constexpr std::size_t count = sizeof allowed / sizeof *allowed;

struct instructions {
  sock_filter code[count + 5];
};

constexpr instructions filter_of_allowed() {
  instructions made{{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
                     BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, machine, 0, count + 1),
                     BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))}};
  for (std::size_t i = 0; i < count; ++i)
    made.code[3 + i] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, allowed[i], static_cast<std::uint8_t>(count - i), 0);
  made.code[3 + count] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  made.code[4 + count] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  return made;
}

/// Made at compile time: at run time, GCC for arm64 calls memset, which is missing here.
constexpr instructions locked = filter_of_allowed();

/// Limits the calls of a process that takes control of the reaper.
void lock() {
  const sock_fprog filter{count + 5, const_cast<sock_filter*>(locked.code)};
  if (bare_call(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, at(&filter)) != 0) end(125);
}

/// Reaps all ended processes. Ends when the program has ended.
void reap() {
  for (;;) {
    int ended = 0;
    const long pid = bare_call(__NR_wait4, -1, at(&ended), WNOHANG);
    if (pid <= 0) return;
    if (pid != program) continue;
    bare_call(__NR_write, status, at(&ended), sizeof ended);
    const int signal = ended & 0x7F;
    end(signal != 0 ? 128 + signal : ended >> 8 & 0xFF);
  }
}

} // namespace

extern "C" [[noreturn]] void serve(const long*) {
  // The signals are blocked since before this process started: none is lost, and none from outside is ignored.
  const std::uint64_t all = ~std::uint64_t{0};
  const long signals = bare_call(__NR_signalfd4, -1, at(&all), sizeof all, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signals < 0 || bare_call(__NR_prctl, PR_SET_DUMPABLE, 0) != 0) end(125);
  lock();
  for (;;) {
    pollfd events[]{{launcher, 0, 0}, {static_cast<int>(signals), POLLIN, 0}};
    bare_call(__NR_ppoll, at(events), 2);
    if (events[0].revents != 0) end(125);
    signalfd_siginfo told;
    told.ssi_signo = SIGCHLD;
    while (bare_call(__NR_read, signals, at(&told), sizeof told) == sizeof told)
      if (told.ssi_signo != SIGCHLD) bare_call(__NR_kill, program, told.ssi_signo);
    reap();
  }
}
