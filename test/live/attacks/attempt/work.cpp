// SPDX-License-Identifier: BSL-1.0
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <pty.h>
#include <semaphore.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "attempt.hpp"

namespace attempt {
namespace {

outcome write_and_read_back(arguments words) {
  const int file = open(words.text(0), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return answer(file);
  char back[8] = {};
  if (write(file, "written", 8) != 8 || pread(file, back, 8, 0) != 8) return answer(-1);
  return std::strcmp(back, "written") == 0 ? outcome::happened : broken("other bytes came back");
}

/// 0xc3 is `ret`, on x86 only; elsewhere the mapping alone is the act.
outcome run_mapped(arguments) {
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return answer(-1);
  std::memset(page, 0xc3, 4096);
  if (mprotect(page, 4096, PROT_READ | PROT_EXEC) != 0) return answer(-1);
#if defined(__x86_64__)
  reinterpret_cast<void (*)()>(page)();
#endif
  return outcome::happened;
}

outcome run_threads(arguments) {
  pthread_t threads[4];
  int counter = 0;
  for (pthread_t& each : threads) {
    const int error = pthread_create(
        &each, nullptr,
        [](void* place) -> void* { return __atomic_add_fetch(static_cast<int*>(place), 1, 5), nullptr; }, &counter);
    if (error != 0) return refused_with(error);
  }
  for (pthread_t each : threads) pthread_join(each, nullptr);
  return counter == 4 ? outcome::happened : broken("a thread did nothing");
}

outcome talk_through(int reader, int writer) {
  const pid_t child = fork();
  if (child < 0) return answer(child);
  if (child == 0) _exit(write(writer, "hello", 5) == 5 ? 0 : errno);
  char text[8] = {};
  if (read(reader, text, 5) != 5) return answer(-1);
  return answer_of_child(child);
}

outcome use_pipe(arguments) {
  int ends[2];
  return pipe2(ends, O_CLOEXEC) != 0 ? answer(-1) : talk_through(ends[0], ends[1]);
}

outcome use_pair(arguments) {
  int ends[2];
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0 ? answer(-1) : talk_through(ends[0], ends[1]);
}

/// A descriptor handed over a pair: what node and build servers do.
outcome pass_descriptor(arguments) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return answer(-1);
  char byte = 'x';
  iovec text{&byte, 1};
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &text;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = sizeof space;
  cmsghdr* part = CMSG_FIRSTHDR(&message);
  part->cmsg_level = SOL_SOCKET;
  part->cmsg_type = SCM_RIGHTS;
  part->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(part), &ends[0], sizeof(int));
  if (sendmsg(ends[0], &message, 0) != 1) return answer(-1);
  return answer(recvmsg(ends[1], &message, 0));
}

outcome spawn(arguments words) {
  pid_t child = 0;
  const int error = posix_spawn(&child, words.text(0), nullptr, nullptr, words.rest(0), environ);
  return error != 0 ? refused_with(error) : answer_of_child(child);
}

outcome write_temporary(arguments) {
  const char* directory = std::getenv("TMPDIR");
  char name[4096];
  std::snprintf(name, sizeof name, "%s/attempt.XXXXXX", directory != nullptr ? directory : "/tmp");
  const int file = mkstemp(name);
  if (file < 0) return answer(file);
  unlink(name);
  return answer(write(file, "x", 1));
}

outcome read_bytes(arguments words) {
  char bytes[16];
  const int file = open(words.text(0), O_RDONLY | O_CLOEXEC);
  return file < 0 ? answer(file) : answer(read(file, bytes, sizeof bytes));
}

outcome make_memory_file(arguments) {
  const int file = memfd_create("attempt", MFD_CLOEXEC);
  return file < 0 ? answer(file) : answer(ftruncate(file, 4096));
}

outcome make_semaphore(arguments) {
  char name[64];
  std::snprintf(name, sizeof name, "/attempt.%d", getpid());
  sem_t* semaphore = sem_open(name, O_CREAT | O_EXCL, 0600, 1);
  if (semaphore == SEM_FAILED) return answer(-1);
  return answer(sem_unlink(name));
}

outcome talk_by_queue(arguments) {
  char name[64];
  std::snprintf(name, sizeof name, "/attempt.%d", getpid());
  mq_attr sizes{};
  sizes.mq_maxmsg = 1, sizes.mq_msgsize = 8;
  const mqd_t queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600, &sizes);
  if (queue < 0) return answer(queue);
  char text[8] = "heard";
  if (mq_send(queue, text, sizeof text, 0) != 0 || mq_receive(queue, text, sizeof text, nullptr) < 0) return answer(-1);
  return answer(mq_unlink(name));
}

outcome make_terminal(arguments) {
  int leader = 0;
  int follower = 0;
  return answer(openpty(&leader, &follower, nullptr, nullptr, nullptr));
}

constexpr act table[] = {
    {"write_and_read_back", write_and_read_back},
    {"run_mapped", run_mapped},
    {"threads", run_threads},
    {"pipe", use_pipe},
    {"pair", use_pair},
    {"pass_descriptor", pass_descriptor},
    {"spawn", spawn},
    {"write_temporary", write_temporary},
    {"read_bytes", read_bytes},
    {"memory_file", make_memory_file},
    {"semaphore", make_semaphore},
    {"own_queue", talk_by_queue},
    {"terminal", make_terminal},
};

} // namespace

std::span<const act> work_acts() { return table; }

} // namespace attempt
