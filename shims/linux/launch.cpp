// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/launch.hpp>

#include "child.hpp"
#include "raw.hpp"
#include "vfork.hpp"

#include <sys/syscall.h>

namespace cordon::linux_shim {

launched launch(const command& what, const confinement& how) noexcept {
  launched result;
  if (how.limit_count > how.limits.size()) return result.why = {step::limits, E2BIG}, result;
  errand e{what, how};
  if (what.parent_death_signal) e.parent = static_cast<int>(raw(SYS_getpid));

  vforked child = vfork_run(0, e.cgroup, run_errand, &e);
  if (child.error) return result.why = {step::clone, child.error}, result;
  if (e.reached == step::exec && e.error == 0) {
    result.pid = child.pid;
    result.pidfd = child.pidfd;
    return result;
  }
  bring_down(child);
  // Some emulators turn a vfork into a fork and then nothing of the child's is seen here: without news, no launch.
  if (e.reached == step::none) result.why = {step::clone, ENOTSUP};
  else result.why = {e.reached, e.error ? e.error : ECANCELED};
  return result;
}

void bring_down(launched& child) noexcept {
  vforked same{child.pid, child.pidfd};
  bring_down(same);
  child = {};
}

} // namespace cordon::linux_shim
