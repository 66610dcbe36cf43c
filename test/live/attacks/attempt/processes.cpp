// SPDX-License-Identifier: BSL-1.0
#include <fcntl.h>
#include <linux/kcmp.h>
#include <sched.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>

#include "attempt.hpp"

namespace attempt {
namespace {

pid_t pid_of(arguments words) { return static_cast<pid_t>(words.number(0)); }

outcome signal_by_pidfd(arguments words) {
  const long process = syscall(SYS_pidfd_open, pid_of(words), 0);
  if (process < 0) return answer(process);
  return answer(syscall(SYS_pidfd_send_signal, process, words.number(1), nullptr, 0));
}

outcome signal_by_queue(arguments words) {
  return answer(sigqueue(pid_of(words), static_cast<int>(words.number(1)), sigval{}));
}

/// Writes into a pipe whose news go to the process outside, as a signal of one's choice. No call is refused: Landlock
/// drops the signal at delivery, and only the victim can tell.
outcome signal_by_news(arguments words) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return broken("pipe2");
  if (fcntl(ends[0], F_SETOWN, pid_of(words)) != 0 || fcntl(ends[0], F_SETSIG, SIGTERM) != 0) return answer(-1);
  if (fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK) != 0) return answer(-1);
  return answer(write(ends[1], "x", 1));
}

outcome steal_descriptor(arguments words) {
  const long process = syscall(SYS_pidfd_open, pid_of(words), 0);
  if (process < 0) return answer(process);
  return answer(syscall(SYS_pidfd_getfd, process, words.number(1), 0));
}

/// SEIZE does not stop the process, and the end of this one lets it go.
outcome seize(arguments words) { return answer(ptrace(PTRACE_SEIZE, pid_of(words), nullptr, nullptr)); }

outcome trace_me(arguments) {
  const pid_t child = fork();
  if (child < 0) return broken("fork");
  if (child == 0) _exit(ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0 ? 0 : errno);
  return answer_of_child(child);
}

outcome read_memory(arguments words) {
  std::uint64_t word = 0;
  const iovec here{&word, sizeof word};
  const iovec there{reinterpret_cast<void*>(words.number(1)), sizeof word};
  return answer(process_vm_readv(pid_of(words), &here, 1, &there, 1, 0));
}

/// Writes back what it has read: the act is real and the victim lives.
outcome write_memory(arguments words) {
  std::uint64_t word = 0;
  char name[64];
  std::snprintf(name, sizeof name, "/proc/%d/mem", pid_of(words));
  const int memory = open(name, O_RDONLY | O_CLOEXEC);
  if (memory >= 0 && pread(memory, &word, sizeof word, words.number(1)) != sizeof word) return answer(-1);
  const iovec here{&word, sizeof word};
  const iovec there{reinterpret_cast<void*>(words.number(1)), sizeof word};
  return answer(process_vm_writev(pid_of(words), &here, 1, &there, 1, 0));
}

outcome read_mem_file(arguments words) {
  char name[64];
  std::snprintf(name, sizeof name, "/proc/%d/mem", pid_of(words));
  const int memory = open(name, O_RDONLY | O_CLOEXEC);
  std::uint64_t word = 0;
  return memory < 0 ? answer(memory) : answer(pread(memory, &word, sizeof word, words.number(1)));
}

outcome limit(arguments words) {
  rlimit old{};
  if (syscall(SYS_prlimit64, pid_of(words), RLIMIT_NOFILE, nullptr, &old) != 0) return answer(-1);
  old.rlim_cur = 17;
  return answer(syscall(SYS_prlimit64, pid_of(words), RLIMIT_NOFILE, &old, nullptr));
}

outcome pin(arguments words) {
  cpu_set_t first;
  CPU_ZERO(&first);
  CPU_SET(0, &first);
  return answer(sched_setaffinity(pid_of(words), sizeof first, &first));
}

outcome schedule(arguments words) {
  const sched_param parameters{};
  return answer(sched_setscheduler(pid_of(words), SCHED_BATCH, &parameters));
}

outcome compare(arguments words) { return answer(syscall(SYS_kcmp, getpid(), pid_of(words), KCMP_VM, 0, 0)); }

/// I/O class 3 (idle), who 1 (a process).
outcome lower_io(arguments words) { return answer(syscall(SYS_ioprio_set, 1, pid_of(words), 3 << 13)); }

outcome page_out(arguments words) {
  const long process = syscall(SYS_pidfd_open, pid_of(words), 0);
  if (process < 0) return answer(process);
  const iovec there{reinterpret_cast<void*>(words.number(1) & ~0xfffL), 0x1000};
  constexpr int madv_cold = 20;
  return answer(syscall(SYS_process_madvise, process, &there, 1, madv_cold, 0));
}

constexpr act table[] = {
    {"kill", [](arguments words) { return answer(kill(pid_of(words), static_cast<int>(words.number(1)))); }},
    {"kill_parent", [](arguments words) { return answer(kill(getppid(), static_cast<int>(words.number(0)))); }},
    {"tgkill",
     [](arguments words) { return answer(syscall(SYS_tgkill, pid_of(words), pid_of(words), words.number(1))); }},
    {"signal_by_pidfd", signal_by_pidfd},
    {"signal_by_queue", signal_by_queue},
    {"signal_by_news", signal_by_news},
    {"kill_group", [](arguments words) { return answer(kill(-pid_of(words), static_cast<int>(words.number(1)))); }},
    {"steal_descriptor", steal_descriptor},
    {"seize", seize},
    {"seize_parent", [](arguments) { return answer(ptrace(PTRACE_SEIZE, getppid(), nullptr, nullptr)); }},
    {"trace_me", trace_me},
    {"read_memory", read_memory},
    {"write_memory", write_memory},
    {"read_mem_file", read_mem_file},
    {"limit", limit},
    {"set_priority",
     [](arguments words) { return answer(setpriority(PRIO_PROCESS, static_cast<id_t>(pid_of(words)), 7)); }},
    {"pin", pin},
    {"schedule", schedule},
    {"compare", compare},
    {"lower_io", lower_io},
    {"page_out", page_out},
};

} // namespace

std::span<const act> process_acts() { return table; }

} // namespace attempt
