// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/launch.hpp>

#include "child.hpp"
#include "first.hpp"
#include "raw.hpp"
#include "vfork.hpp"

#include <sys/syscall.h>

#include <charconv>
#include <linux/sched.h>
#include <string_view>

namespace cordon::linux_shim {
namespace {

/// Where a descriptor leads. 0 or errno.
int find(int fd, char (&to)[PATH_MAX]) noexcept {
  if (fd < 0) return 0;
  constexpr std::string_view links = "/proc/self/fd/";
  char link[links.size() + 11]{}, *end = link + links.copy(link, links.size());
  std::to_chars(end, link + sizeof link - 1, fd);
  const long size = raw(SYS_readlinkat, AT_FDCWD, link, to, sizeof to - 1);
  to[size < 0 ? 0 : size] = '\0';
  return size < 0 ? static_cast<int>(-size) : 0;
}

vforked launch_isolated(errand& e) noexcept {
  const spare_stack of_first, of_second;
  undertaking u{e, of_second};
  if (!of_second) return {.error = ENOMEM};
  e.reached = step::places;
  if (const int error = find(e.program, u.program_at)) return {.error = error};
  if (const int error = find(e.cwd, u.directory_at)) return {.error = error};
  e.reached = step::none;
  constexpr std::uint64_t always =
      CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
  return vfork_run(of_first, always | (u.own.network ? CLONE_NEWNET : 0), e.cgroup, run_first, &u);
}

} // namespace

launched launch(const command& what, const confinement& how) noexcept {
  launched result;
  if (how.limit_count > how.limits.size()) return result.why = {step::limits, E2BIG}, result;
  errand e{what, how};
  if (what.parent_death_signal) e.parent = static_cast<int>(raw(SYS_getpid));

  vforked child = how.isolated ? launch_isolated(e) : vfork_run(0, e.cgroup, run_errand, &e);
  if (child.error) return result.why = {e.reached == step::none ? step::clone : e.reached, child.error}, result;
  if (e.reached == (how.isolated ? step::first : step::exec) && e.error == 0) {
    result.pid = child.pid;
    result.pidfd = child.pidfd;
    return result;
  }
  bring_down(child);
  // Some emulators turn a vfork into a fork and then nothing of the child's is seen here: without news, no launch.
  if (e.reached == step::none) result.why = {step::clone, ENOTSUP};
  else result.why = {e.reached, e.error ? e.error : ECANCELED, e.part};
  return result;
}

void bring_down(launched& child) noexcept {
  vforked same{child.pid, child.pidfd};
  bring_down(same);
  child = {};
}

} // namespace cordon::linux_shim
