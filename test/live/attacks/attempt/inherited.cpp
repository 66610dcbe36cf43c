// SPDX-License-Identifier: BSL-1.0
#include <fcntl.h>
#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "attempt.hpp"

namespace attempt {
namespace {

outcome visible(arguments words) {
  const char* value = std::getenv(words.text(0));
  return value != nullptr && value[0] != '\0' ? outcome::happened : refused_because("absent");
}

outcome has_value(arguments words) {
  const char* value = std::getenv(words.text(0));
  return value != nullptr && std::strcmp(value, words.text(1)) == 0 ? outcome::happened : refused_because("absent");
}

/// Any descriptor above the standard three counts, whatever it leads to.
outcome any_descriptor(arguments) {
  for (int each = 3; each < 4096; ++each)
    if (fcntl(each, F_GETFD) >= 0) {
      std::printf("descriptor %d is open\n", each);
      return outcome::happened;
    }
  return refused_with(EBADF);
}

outcome write_to_descriptor(arguments words) { return answer(write(static_cast<int>(words.number(0)), "attacked", 8)); }

outcome open_from_descriptor(arguments words) {
  return answer(openat(static_cast<int>(words.number(0)), words.text(1), O_RDONLY | O_CLOEXEC));
}

outcome stat_descriptor(arguments words) {
  struct stat status {};
  return answer(fstat(static_cast<int>(words.number(0)), &status));
}

/// Happened if any effective, permitted, inheritable or ambient capability is there, or could come back by exec.
outcome capabilities(arguments) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[2] = {};
  if (syscall(SYS_capget, &header, sets) != 0) return broken("capget");
  for (const auto& set : sets)
    if ((set.effective | set.permitted | set.inheritable) != 0) return outcome::happened;
  return refused_with(EPERM);
}

outcome effective_root(arguments) { return geteuid() == 0 ? outcome::happened : refused_with(EPERM); }

/// Is the terminal in that instance of devpts? Each instance counts from 0. One that is not found may be.
bool is_in(dev_t instance, int terminal) {
  const auto bits = static_cast<unsigned>(terminal);
  const unsigned minor = (bits & 0xFF) | (bits >> 12 & 0xFFF00);
  char place[32];
  std::snprintf(place, sizeof place, "/dev/pts/%u", minor);
  struct stat found {};
  return stat(place, &found) != 0 || found.st_rdev != makedev(bits >> 8 & 0xFFF, minor) || found.st_dev == instance;
}

/// Happened if the process has a controlling terminal of the caller's devpts. Field 7 of proc_pid_stat(5), behind the
/// name in brackets that may hold anything.
outcome controlling_terminal(arguments words) {
  char text[1024] = {};
  const int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (file < 0 || read(file, text, sizeof text - 1) <= 0) return broken("/proc/self/stat");
  const char* rest = std::strrchr(text, ')');
  int terminal = 0;
  if (rest == nullptr || std::sscanf(rest, ") %*c %*d %*d %*d %d", &terminal) != 1) return broken("/proc/self/stat");
  const bool is_callers = terminal != 0 && is_in(static_cast<dev_t>(words.number(0)), terminal);
  return is_callers ? outcome::happened : refused_with(ENXIO);
}

constexpr act table[] = {
    {"variable", visible},
    {"variable_is", has_value},
    {"any_descriptor", any_descriptor},
    {"write_to_descriptor", write_to_descriptor},
    {"open_from_descriptor", open_from_descriptor},
    {"stat_descriptor", stat_descriptor},
    {"capabilities", capabilities},
    {"controlling_terminal", controlling_terminal},
    {"effective_root", effective_root},
};

} // namespace

std::span<const act> inherited_acts() { return table; }

} // namespace attempt
