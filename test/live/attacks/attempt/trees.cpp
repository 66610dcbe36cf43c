// SPDX-License-Identifier: BSL-1.0
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

#include "attempt.hpp"

namespace attempt {
namespace {

/// As many processes at once as the first word says; happened if all could be made.
outcome make_processes(arguments words) {
  int error = 0;
  long made = 0;
  for (; made < words.number(0) && error == 0; ++made) {
    const pid_t child = fork();
    if (child == 0) {
      pause();
      _exit(0);
    }
    if (child < 0) error = errno;
  }
  return error == 0 ? outcome::happened : refused_with(error);
}

/// Processes, as many as the second word says, that each fill the first word's MiB and keep them until all have.
outcome fill_memory(arguments words) {
  const auto size = static_cast<std::size_t>(words.number(0)) << 20;
  int full[2], over[2];
  if (pipe(full) != 0 || pipe(over) != 0) return broken("pipe");
  const long children = words.number(1);
  for (long made = 0; made < children; ++made) {
    const pid_t child = fork();
    if (child < 0) return answer(child);
    if (child > 0) continue;
    close(full[0]), close(over[1]);
    void* place = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) _exit(1);
    std::memset(place, 'x', size);
    char byte = 'x';
    if (write(full[1], &byte, 1) != 1) _exit(1);
    close(full[1]); // when all have, or are no more, the pipe ends
    _exit(read(over[0], &byte, 1) == 0 ? 0 : 1);
  }
  close(full[1]);
  char byte = 0;
  while (read(full[0], &byte, 1) == 1) {}
  // One that has filled its share may have been killed for the next one's.
  close(over[1]);
  long kept = 0;
  for (int status = 0; wait(&status) > 0;)
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) ++kept;
  return kept == children ? outcome::happened : refused_with(ENOMEM);
}

/// Leaves processes behind that have left the session and lost their parent.
outcome leave_daemons(arguments words) {
  for (long made = 0; made < words.number(0); ++made) {
    const pid_t child = fork();
    if (child < 0) return answer(child);
    if (child == 0) {
      if (setsid() < 0) _exit(errno);
      for (const int standard : {0, 1, 2}) close(standard);
      if (fork() == 0) pause();
      _exit(0);
    }
    if (const outcome o = answer_of_child(child); o != outcome::happened) return o;
  }
  return outcome::happened;
}

constexpr act table[] = {
    {"processes", make_processes},
    {"fill", fill_memory},
    {"daemons", leave_daemons},
    {"stay",
     [](arguments words) { return leave_daemons(words) == outcome::happened ? answer(pause()) : outcome::broken; }},
};

} // namespace

std::span<const act> tree_acts() { return table; }

} // namespace attempt
