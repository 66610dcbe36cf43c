// SPDX-License-Identifier: BSL-1.0
#include <cordon/linux/launch.hpp>

#include "../child/child.hpp"
#include "../child/raw.hpp"
#include "../child/vfork.hpp"
#include "init_isolated.hpp"
#include "launch_wrapped.hpp"

#include <csignal>
#include <linux/sched.h>
#include <poll.h>
#include <sys/syscall.h>

namespace cordon::linux_shim {
namespace {

vforked launch_isolated(errand& e) noexcept {
  const spare_stack of_first, of_second;
  if (!of_second) return {.error = ENOMEM};
  outside program, directory;
  e.reached = step::places;
  if (const int error = find_outside(e.program, program)) return {.error = error};
  if (const int error = find_outside(e.cwd, directory)) return {.error = error};
  undertaking u{e, of_second, *e.how.isolated, program, directory};
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

  if (how.isolated && how.isolated->by) return launch_wrapped(e);
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

void forget_first(launched& child) noexcept {
  if (child.first >= 0) raw(SYS_close, child.first);
  child.first = -1;
}

void bring_down(launched& child) noexcept {
  if (child.first >= 0) {
    raw(SYS_pidfd_send_signal, child.first, SIGKILL, nullptr, 0);
    pollfd gone{child.first, POLLIN, 0}; // and all others of its namespace with it
    while (raw(SYS_ppoll, &gone, 1, nullptr, nullptr, 0) == -EINTR) {}
  }
  forget_first(child);
  vforked same{child.pid, child.pidfd};
  bring_down(same);
  child = {};
}

} // namespace cordon::linux_shim
