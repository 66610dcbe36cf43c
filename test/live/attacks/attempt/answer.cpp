// SPDX-License-Identifier: BSL-1.0
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "attempt.hpp"

namespace attempt {
namespace {

[[noreturn]] void stop(const char* what) {
  broken(what);
  std::exit(static_cast<int>(outcome::broken));
}

long parsed(const char* text) {
  char* end = nullptr;
  const unsigned long value = std::strtoul(text, &end, 0);
  if (end == text || *end != '\0') stop("not a number");
  return static_cast<long>(value);
}

/// The writer makes the file complete by renaming it into place, so a file that is there is whole.
long awaited(const char* path) {
  char text[32] = {};
  for (int tries = 0; tries < 200; ++tries) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
      if (read(file, text, sizeof text - 1) <= 0) stop("empty number file");
      return parsed(text);
    }
    usleep(10'000);
  }
  stop("no number file");
}

} // namespace

char* arguments::text(int index) const {
  if (index >= count()) stop("an argument is missing");
  return words_[static_cast<std::size_t>(index)];
}

char** arguments::rest(int index) const {
  if (index >= count()) stop("an argument is missing");
  return words_.data() + index;
}

long arguments::number(int index) const {
  const char* word = text(index);
  return word[0] == '@' ? awaited(word + 1) : parsed(word);
}

long arguments::word(int index) const {
  if (index >= count()) return 0;
  char* word = text(index);
  return word[0] == '=' ? reinterpret_cast<long>(word + 1) : parsed(word);
}

outcome answer(long result) { return result < 0 ? refused_with(errno) : outcome::happened; }

outcome refused_with(int error) {
  const char* name = strerrorname_np(error);
  std::printf("refused: %s\n", name != nullptr ? name : "unknown");
  return outcome::refused;
}

outcome refused_because(const char* reason) {
  std::printf("refused: %s\n", reason);
  return outcome::refused;
}

outcome broken(const char* what) {
  std::fprintf(stderr, "broken: %s: %s\n", what, std::strerror(errno));
  return outcome::broken;
}

outcome answer_of_child(int pid) {
  int status = 0;
  if (waitpid(pid, &status, 0) != pid) return broken("waitpid");
  if (WIFEXITED(status)) return WEXITSTATUS(status) == 0 ? outcome::happened : refused_with(WEXITSTATUS(status));
  return refused_because(sigabbrev_np(WTERMSIG(status)));
}

} // namespace attempt
