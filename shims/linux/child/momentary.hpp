// SPDX-License-Identifier: BSL-1.0
/// Errors that report a temporary lack of a resource. They prove nothing about the host. cordon therefore repeats the
/// call for a short time, and then refuses the run.
#pragma once

#include <cordon/linux/launch.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <unistd.h>

namespace cordon::linux_shim {

/// EAGAIN: the limit of processes (RLIMIT_NPROC) or of threads (fork(2)). EMFILE, ENFILE: descriptors.
[[nodiscard]] constexpr bool is_momentary(int error) {
  return error == EAGAIN || error == ENOMEM || error == EMFILE || error == ENFILE || error == EINTR;
}

/// Does a sysctl of user_namespaces(7) or namespaces(7) forbid a kind of namespace that a run makes, by the value 0? If
/// none does, ENOSPC of clone(2) means that other processes use all that the limit allows.
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

/// The same for the creation of namespaces.
[[nodiscard]] inline bool is_momentary_of_namespaces(int error) {
  return is_momentary(error) || (error == ENOSPC && !a_namespace_is_forbidden());
}

/// The same for a launch that failed before the program began; after that nothing is repeated. bwrap reports its error
/// as text that ends with strerror(3).
[[nodiscard]] inline bool is_momentary(const failure& why) {
  if (why.at == launch_stage::init) return false;
  if (why.at == launch_stage::clone) return is_momentary_of_namespaces(why.error);
  const std::string_view words = why.words.data();
  for (const int error : {EAGAIN, ENOMEM, EMFILE, ENFILE, ENOSPC})
    if (words.ends_with(std::strerror(error))) return error != ENOSPC || !a_namespace_is_forbidden();
  return is_momentary(why.error);
}

/// Waits between two tries: 1, 2, 4, ... 128 milliseconds, 255 in all.
class patience {
public:
  /// Returns: false once all waits are used.
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
