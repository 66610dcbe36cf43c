// SPDX-License-Identifier: BSL-1.0
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>

#include "attempt.hpp"

namespace attempt {
namespace {

/// Raw: the C library's wrapper would take a function and a stack. The child ends at once.
outcome clone_with(arguments words) {
  const long child = syscall(SYS_clone, words.number(0) | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (child == 0) _exit(0);
  return child < 0 ? answer(child) : answer_of_child(static_cast<int>(child));
}

outcome clone3_with(arguments words) {
  clone_args how{};
  how.flags = static_cast<std::uint64_t>(words.number(0));
  how.exit_signal = SIGCHLD;
  const long child = syscall(SYS_clone3, &how, sizeof how);
  if (child == 0) _exit(0);
  return child < 0 ? answer(child) : answer_of_child(static_cast<int>(child));
}

outcome join(arguments words) {
  char name[64];
  std::snprintf(name, sizeof name, "/proc/self/ns/%s", words.text(0));
  const int space = open(name, O_RDONLY | O_CLOEXEC);
  return space < 0 ? broken("a namespace of one's own") : answer(setns(space, 0));
}

outcome mount_tmpfs(arguments words) {
  if (mount("none", words.text(0), "tmpfs", 0, nullptr) != 0) return answer(-1);
  return umount2(words.text(0), MNT_DETACH) == 0 ? outcome::happened : broken("umount2");
}

outcome bind_mount(arguments words) {
  if (mount(words.text(0), words.text(1), nullptr, MS_BIND, nullptr) != 0) return answer(-1);
  return umount2(words.text(1), MNT_DETACH) == 0 ? outcome::happened : broken("umount2");
}

/// What needs no privilege outside: a user namespace gives the capabilities for all the rest.
outcome mount_in_own_namespace(arguments words) {
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return answer(-1);
  return answer(mount("none", words.text(0), "tmpfs", 0, nullptr));
}

/// Leaves the root by a directory descriptor that was opened before chroot(2).
outcome change_root(arguments words) {
  const pid_t child = fork();
  if (child < 0) return broken("fork");
  if (child == 0) _exit(chroot(words.text(0)) == 0 ? 0 : errno);
  return answer_of_child(child);
}

constexpr act table[] = {
    {"unshare", [](arguments words) { return answer(unshare(static_cast<int>(words.number(0)))); }},
    {"clone", clone_with},
    {"clone3", clone3_with},
    {"setns", join},
    {"mount_tmpfs", mount_tmpfs},
    {"bind_mount", bind_mount},
    {"mount_in_own_namespace", mount_in_own_namespace},
    {"chroot", change_root},
};

} // namespace

std::span<const act> namespace_acts() { return table; }

} // namespace attempt
