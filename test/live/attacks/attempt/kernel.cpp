// SPDX-License-Identifier: BSL-1.0
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/fanotify.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <linux/userfaultfd.h>
#include <mqueue.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <ctime>

#include "attempt.hpp"
#include "call_names.hpp"

namespace attempt {
namespace {

/// Any system call by name, for calls whose success would do harm: the errno of a call that fails for its arguments
/// distinguishes it from one that was never let in.
outcome call(arguments words) {
  const long number = number_of_call(words.text(0));
  if (number < 0) return broken("unknown system call");
  return answer(
      syscall(number, words.word(1), words.word(2), words.word(3), words.word(4), words.word(5), words.word(6)));
}

outcome make_bpf_map(arguments) {
  bpf_attr request{};
  request.map_type = BPF_MAP_TYPE_ARRAY;
  request.key_size = 4;
  request.value_size = 4;
  request.max_entries = 1;
  return answer(syscall(SYS_bpf, BPF_MAP_CREATE, &request, sizeof request));
}

outcome count_events(arguments) {
  perf_event_attr request{};
  request.type = PERF_TYPE_SOFTWARE;
  request.size = sizeof request;
  request.config = PERF_COUNT_SW_TASK_CLOCK;
  request.exclude_kernel = 1;
  request.exclude_hv = 1;
  return answer(syscall(SYS_perf_event_open, &request, 0, -1, -1, 0));
}

outcome set_same_clock(arguments) {
  timespec now{};
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return broken("clock_gettime");
  return answer(clock_settime(CLOCK_REALTIME, &now));
}

outcome set_same_day(arguments) {
  timeval now{};
  if (gettimeofday(&now, nullptr) != 0) return broken("gettimeofday");
  return answer(settimeofday(&now, nullptr));
}

outcome set_same_name(arguments) {
  char name[256] = {};
  if (gethostname(name, sizeof name - 1) != 0) return broken("gethostname");
  return answer(sethostname(name, std::strlen(name)));
}

outcome add_key(arguments) {
  return answer(syscall(SYS_add_key, "user", "cordon-live", "x", 1UL, KEY_SPEC_PROCESS_KEYRING));
}

/// The second word is or-ed into the command as it goes to the kernel, which looks at its low half only.
outcome terminal(arguments words) {
  char letter[2] = {'x', 0};
  return answer(syscall(SYS_ioctl, 0, words.number(0) | (words.count() > 1 ? words.number(1) : 0), letter));
}

/// A command of a device that may be opened for reading. The words: its place and the command.
outcome command_device(arguments words) {
  long space[8] = {};
  const int device = open(words.text(0), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  return device < 0 ? answer(device) : answer(ioctl(device, static_cast<unsigned long>(words.number(1)), space));
}

outcome attach_memory(arguments words) {
  void* place = shmat(static_cast<int>(words.number(0)), nullptr, 0);
  if (reinterpret_cast<long>(place) == -1) return answer(-1);
  std::memcpy(place, "attacked", 8);
  return outcome::happened;
}

outcome send_message(arguments words) {
  const struct {
    long type;
    char text[8];
  } message{1, {'a', 't', 't', 'a', 'c', 'k', 'e', 'd'}};
  return answer(msgsnd(static_cast<int>(words.number(0)), &message, sizeof message.text, IPC_NOWAIT));
}

outcome take_semaphore(arguments words) {
  sembuf launch_stage{0, 1, IPC_NOWAIT};
  return answer(semop(static_cast<int>(words.number(0)), &launch_stage, 1));
}

outcome send_to_queue(arguments words) {
  const mqd_t queue = mq_open(words.text(0), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  return queue < 0 ? answer(queue) : answer(mq_send(queue, "attacked", 8, 0));
}

constexpr act table[] = {
    {"call", call},
    {"bpf", make_bpf_map},
    {"perf", count_events},
    {"clock_settime", set_same_clock},
    {"settimeofday", set_same_day},
    {"sethostname", set_same_name},
    {"add_key", add_key},
    {"keyctl",
     [](arguments) { return answer(syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_PROCESS_KEYRING, 1)); }},
    {"join_session", [](arguments) { return answer(syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr)); }},
    {"userfaultfd", [](arguments) { return answer(syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY)); }},
    {"fanotify_init",
     [](arguments) { return answer(syscall(SYS_fanotify_init, FAN_CLASS_NOTIF | FAN_REPORT_FID, O_RDONLY)); }},
    {"ioctl", terminal},
    {"device_command", command_device},
    {"shmat", attach_memory},
    {"msgsnd", send_message},
    {"semop", take_semaphore},
    {"mq_send", send_to_queue},
};

} // namespace

std::span<const act> kernel_acts() { return table; }

} // namespace attempt
