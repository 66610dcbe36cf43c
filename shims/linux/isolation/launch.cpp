// SPDX-License-Identifier: BSL-1.0
#include <cordon/linux/launch.hpp>

#include "../child/child.hpp"
#include "../child/raw_syscall.hpp"
#include "../child/vfork.hpp"
#include "init_isolated.hpp"
#include "launch_wrapped.hpp"

#include <csignal>
#include <linux/sched.h>
#include <poll.h>
#include <sys/syscall.h>

namespace cordon::linux_shim {
namespace {

vforked launch_isolated(child_setup& e) noexcept {
  const spare_stack of_first, of_second;
  if (!of_second) return {.error = ENOMEM};
  host_path program, directory;
  e.reached = launch_stage::places;
  if (const int error = find_host_path(e.program, program)) return {.error = error};
  if (const int error = find_host_path(e.cwd, directory)) return {.error = error};
  init_setup u{e, of_second, *e.how.isolated, program, directory};
  e.reached = launch_stage::none;
  constexpr std::uint64_t always =
      CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
  return vfork_run(of_first, always | (u.own.network ? CLONE_NEWNET : 0), e.cgroup, run_first, &u);
}

} // namespace

launched abi_0::launch(const command& what, const confinement& how) noexcept {
  launched result;
  if (how.limit_count > how.limits.size()) {
    result.why = {launch_stage::limits, E2BIG};
    return result;
  }
  child_setup e{what, how};
  if (what.parent_death_signal) e.parent = static_cast<int>(raw_syscall(SYS_getpid));

  if (how.isolated && how.isolated->by) return launch_wrapped(e);
  vforked child = how.isolated ? launch_isolated(e) : vfork_run(0, e.cgroup, run_child_setup, &e);
  if (child.error) {
    result.why = {e.reached == launch_stage::none ? launch_stage::clone : e.reached, child.error};
    return result;
  }
  if (e.reached == (how.isolated ? launch_stage::init : launch_stage::exec) && e.error == 0) {
    result.pid = child.pid;
    result.pidfd = child.pidfd;
    return result;
  }
  bring_down(child);
  // Some emulators turn vfork into fork, and the child's results do not arrive here. Without a result the launch fails.
  if (e.reached == launch_stage::none) result.why = {launch_stage::clone, ENOTSUP};
  else result.why = {e.reached, e.error ? e.error : ECANCELED, e.part};
  return result;
}

void abi_0::forget_init(launched& child) noexcept {
  if (child.init_pidfd >= 0) raw_syscall(SYS_close, child.init_pidfd);
  child.init_pidfd = -1;
}

void abi_0::bring_down(launched& child) noexcept {
  if (child.init_pidfd >= 0) {
    raw_syscall(SYS_pidfd_send_signal, child.init_pidfd, SIGKILL, nullptr, 0);
    pollfd gone{child.init_pidfd, POLLIN, 0}; // the kernel then kills all other processes of the namespace
    while (raw_syscall(SYS_ppoll, &gone, 1, nullptr, nullptr, 0) == -EINTR) {}
  }
  forget_init(child);
  vforked same{child.pid, child.pidfd};
  bring_down(same);
  child = {};
}

} // namespace cordon::linux_shim
