// SPDX-License-Identifier: BSL-1.0
/// Errors for want of a resource. They say nothing about what the host can do, so nothing is decided by them: the act is
/// repeated for a short while, and then the run is refused.
#pragma once

#include <cordon/linux/launch.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <unistd.h>

namespace cordon::linux_shim {

/// EAGAIN: RLIMIT_NPROC, a limit of processes or of threads (fork(2)). EMFILE, ENFILE: descriptors.
[[nodiscard]] constexpr bool is_momentary(int error) {
  return error == EAGAIN || error == ENOMEM || error == EMFILE || error == ENFILE || error == EINTR;
}

/// Does a sysctl of user_namespaces(7) and namespaces(7) forbid one of the kinds of namespaces that a run makes? Without
/// such a 0, ENOSPC of clone(2) says that others have used up what there is.
[[nodiscard]] inline bool a_namespace_is_forbidden() {
  constexpr const char* kinds[]{"user", "mnt", "pid", "ipc", "uts", "cgroup", "net"};
  for (const char* const kind : kinds) {
    char name[64];
    std::snprintf(name, sizeof name, "/proc/sys/user/max_%s_namespaces", kind);
    std::FILE* const file = std::fopen(name, "re");
    if (file == nullptr) continue;
    int most = -1;
    const bool read = std::fscanf(file, "%d", &most) == 1;
    std::fclose(file);
    if (read && most == 0) return true;
  }
  return false;
}

/// The same of making namespaces.
[[nodiscard]] inline bool is_momentary_of_namespaces(int error) {
  return is_momentary(error) || (error == ENOSPC && !a_namespace_is_forbidden());
}

/// The same of a start that failed before the program began; once it has begun nothing is repeated. bwrap says in words
/// what it lacked, and ends with strerror(3) of it.
[[nodiscard]] inline bool is_momentary(const failure& why) {
  if (why.at == launch_stage::first) return false;
  if (why.at == launch_stage::clone) return is_momentary_of_namespaces(why.error);
  const std::string_view words = why.words.data();
  for (const int error : {EAGAIN, ENOMEM, EMFILE, ENFILE, ENOSPC})
    if (words.ends_with(std::strerror(error))) return error != ENOSPC || !a_namespace_is_forbidden();
  return is_momentary(why.error);
}

/// Waits between the tries of an act: 1, 2, 4, ... 128 milliseconds, a quarter of a second in all.
class patience {
public:
  /// False once it is used up.
  [[nodiscard]] bool again() {
    constexpr unsigned most = 128'000;
    if (next_ > most) return false;
    ::usleep(next_);
    next_ *= 2;
    return true;
  }

private:
  unsigned next_ = 1'000; ///< microseconds
};

inline constexpr std::string_view try_again =
    "it says nothing about this host, so nothing is started; try again, or give this user more processes, descriptors, "
    "namespaces or memory";

} // namespace cordon::linux_shim
