// SPDX-License-Identifier: BSL-1.0
#include <dirent.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "attempt.hpp"

namespace attempt {
namespace {

outcome read_some(int file) {
  char byte = 0;
  if (file < 0) return answer(file);
  const ssize_t got = read(file, &byte, 1);
  return got == 0 ? broken("nothing to read") : answer(got);
}

outcome write_some(int file) { return file < 0 ? answer(file) : answer(write(file, "attacked", 8)); }

outcome list(arguments words) {
  DIR* directory = opendir(words.text(0));
  if (directory == nullptr) return answer(-1);
  errno = 0;
  return readdir(directory) != nullptr ? outcome::happened : answer(-1);
}

/// Looks for one name among those that a directory lists.
outcome list_finds(arguments words) {
  DIR* directory = opendir(words.text(0));
  if (directory == nullptr) return answer(-1);
  while (const dirent* entry = readdir(directory))
    if (std::strcmp(entry->d_name, words.text(1)) == 0) return outcome::happened;
  return refused_with(ENOENT);
}

outcome tmpfile_in(arguments words) { return write_some(open(words.text(0), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600)); }

/// An O_PATH descriptor needs no right; opening it again through /proc must.
outcome reopen(arguments words) {
  const int place = open(words.text(0), O_PATH | O_CLOEXEC);
  if (place < 0) return answer(place);
  char name[64];
  std::snprintf(name, sizeof name, "/proc/self/fd/%d", place);
  return read_some(open(name, O_RDONLY | O_CLOEXEC));
}

/// A regular file and a link that leads outside change places all the time; opening one of the names must never
/// give what lies behind the link. Arguments: the file, the link, milliseconds, the first letter of what is outside.
outcome race(arguments words) {
  const pid_t flipper = fork();
  if (flipper < 0) return broken("fork");
  if (flipper == 0)
    for (;;) syscall(SYS_renameat2, AT_FDCWD, words.text(0), AT_FDCWD, words.text(1), RENAME_EXCHANGE);
  bool won = false;
  int first = 0;
  timespec now{}, start{};
  clock_gettime(CLOCK_MONOTONIC, &start);
  do {
    char letter = 0;
    const int file = open(words.text(0), O_RDONLY | O_CLOEXEC);
    if (file < 0) first = errno;
    else {
      won = read(file, &letter, 1) == 1 && letter == words.text(3)[0];
      close(file);
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while (!won && (now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1'000'000 < words.number(2));
  kill(flipper, SIGKILL);
  waitpid(flipper, nullptr, 0);
  if (won) return outcome::happened;
  return first == 0 ? broken("the names never changed places") : refused_with(first);
}

/// Runs a program; happened if it exits with the status given first.
outcome run(arguments words) {
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) return broken("pipe2");
  const pid_t child = fork();
  if (child < 0) return broken("fork");
  if (child == 0) {
    execv(words.text(1), words.rest(1));
    const int error = errno;
    if (write(report[1], &error, sizeof error) < 0) _exit(126);
    _exit(125);
  }
  close(report[1]);
  int error = 0;
  const bool failed = read(report[0], &error, sizeof error) == sizeof error;
  int status = 0;
  waitpid(child, &status, 0);
  if (failed) return refused_with(error);
  if (WIFEXITED(status) && WEXITSTATUS(status) == words.number(0)) return outcome::happened;
  return refused_because("other status");
}

constexpr act table[] = {
    {"read", [](arguments words) { return read_some(open(words.text(0), O_RDONLY | O_CLOEXEC)); }},
    {"list", list},
    {"list_finds", list_finds},
    {"write", [](arguments words) { return write_some(open(words.text(0), O_WRONLY | O_CLOEXEC)); }},
    {"append", [](arguments words) { return write_some(open(words.text(0), O_WRONLY | O_APPEND | O_CLOEXEC)); }},
    {"open_for_writing", [](arguments words) { return answer(open(words.text(0), O_WRONLY | O_CLOEXEC)); }},
    {"open_for_reading",
     [](arguments words) { return answer(open(words.text(0), O_RDONLY | O_NONBLOCK | O_CLOEXEC)); }},
    {"create",
     [](arguments words) { return write_some(open(words.text(0), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)); }},
    {"create_through",
     [](arguments words) { return write_some(open(words.text(0), O_WRONLY | O_CREAT | O_CLOEXEC, 0600)); }},
    {"truncate", [](arguments words) { return answer(truncate(words.text(0), 1)); }},
    {"open_truncate", [](arguments words) { return answer(open(words.text(0), O_RDONLY | O_TRUNC | O_CLOEXEC)); }},
    {"unlink", [](arguments words) { return answer(unlink(words.text(0))); }},
    {"rmdir", [](arguments words) { return answer(rmdir(words.text(0))); }},
    {"mkdir", [](arguments words) { return answer(mkdir(words.text(0), 0700)); }},
    {"rename", [](arguments words) { return answer(rename(words.text(0), words.text(1))); }},
    {"exchange",
     [](arguments words) {
       return answer(syscall(SYS_renameat2, AT_FDCWD, words.text(0), AT_FDCWD, words.text(1), RENAME_EXCHANGE));
     }},
    {"link", [](arguments words) { return answer(link(words.text(0), words.text(1))); }},
    {"symlink", [](arguments words) { return answer(symlink(words.text(0), words.text(1))); }},
    {"mkfifo", [](arguments words) { return answer(mkfifo(words.text(0), 0600)); }},
    {"mknod_char",
     [](arguments words) {
       const dev_t device = makedev(static_cast<unsigned>(words.number(1)), static_cast<unsigned>(words.number(2)));
       return answer(mknod(words.text(0), S_IFCHR | 0600, device));
     }},
    {"tmpfile_in", tmpfile_in},
    {"reopen", reopen},
    {"race", race},
    {"run", run},
    {"exit", [](arguments words) -> outcome { std::exit(static_cast<int>(words.number(0))); }},
};

} // namespace

std::span<const act> file_acts() { return table; }

} // namespace attempt
