// SPDX-License-Identifier: BSL-1.0
#include "limits.hpp"

#include "../../common/run/wanted_limits.hpp"
#include "../child/momentary.hpp"
#include "../child/raw_syscall.hpp"
#include "../child/vfork.hpp"
#include "core_dumps.hpp"

#include <sys/resource.h>
#include <sys/syscall.h>

#include <cerrno>
#include <csignal>

namespace cordon::linux_shim {
namespace {

/// Adds a soft and a hard value, limited to this process's hard limit: raising it takes CAP_SYS_RESOURCE.
void add(confinement& to, int resource, std::uint64_t soft, std::uint64_t hard) {
  rlimit now{};
  ::getrlimit(static_cast<__rlimit_resource>(resource), &now);
  if (hard > now.rlim_max) hard = now.rlim_max;
  if (soft > hard) soft = hard;
  to.limits[to.limit_count++] = {resource, soft, hard};
}

/// Tries to make one process more under a limit of 0. Exits with 0 if the kernel refuses, else with 1; with 2 on other
/// errors.
[[noreturn]] void try_one_more(void*) noexcept {
  rlimit limit{};
  raw_syscall(SYS_prlimit64, 0, RLIMIT_NPROC, nullptr, &limit);
  limit.rlim_cur = 0;
  raw_syscall(SYS_prlimit64, 0, RLIMIT_NPROC, &limit, nullptr);
  const long child = raw_syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (child == 0) raw_syscall(SYS_exit_group, 0);
  if (child > 0) raw_syscall(SYS_wait4, child, nullptr, 0, nullptr);
  for (;;) raw_syscall(SYS_exit_group, child > 0 ? 1 : child == -EAGAIN ? 0 : 2);
}

/// Does RLIMIT_NPROC apply to this user? It does not apply to the real root, whatever its id in a user namespace, nor
/// to processes with its capabilities (copy_process, kernel/fork.c). Only a trial can show it.
[[nodiscard]] bool process_limit_holds() {
  int no_group = -1;
  vforked child;
  patience left;
  do {
    child = vfork_run(
        0, no_group, [](void* data) noexcept { try_one_more(data); }, nullptr);
  } while (is_momentary(child.error) && left.again());
  return child.error == 0 && bring_down(child) == 0;
}

/// The class of a limit in the report, and the mechanism.
struct enforcement {
  std::string_view grade, by;
};

/// Sets a limit of each process alone, or none if cordon itself enforces it.
[[nodiscard]] enforcement set_alone(limit l, std::uint64_t value, confinement& to) {
  switch (l) {
  case limit::timeout: return {"enforced", "cordon's clock"};
  case limit::output: return {"enforced", "cordon counts what it relays"};
  case limit::cpu: {
    const std::uint64_t seconds = (value + 999'999'999) / 1'000'000'000;
    add(to, RLIMIT_CPU, seconds, seconds + 1); // SIGXCPU, then SIGKILL
    return {"best_effort", "RLIMIT_CPU, of each process alone, in whole seconds"};
  }
  case limit::memory:
    // Not RLIMIT_AS: java, node and Go reserve far more address space than they use.
    add(to, RLIMIT_DATA, value, value);
    return {"best_effort", "RLIMIT_DATA, of each process alone"};
  case limit::processes:
    add(to, RLIMIT_NPROC, value, value);
    if (!process_limit_holds()) return {"none", "RLIMIT_NPROC does not limit root"};
    return {"best_effort", "RLIMIT_NPROC, which counts all processes of the user"};
  case limit::open_files: add(to, RLIMIT_NOFILE, value, value); return {"enforced", "RLIMIT_NOFILE"};
  case limit::file_size: add(to, RLIMIT_FSIZE, value, value); return {"enforced", "RLIMIT_FSIZE"};
  }
  return {"none", ""};
}

} // namespace

std::vector<stated_limit> set_limits(const cordon::limits& wanted, confinement& to, const control_group* group) {
  // A core dump would copy data that the program has read to a path that it may not write. 1 byte is too small for a
  // file, and disables a pipe.
  const std::uint64_t core = core_handler_here() == core_handler::file ? 0 : 1;
  add(to, RLIMIT_CORE, core, core);
  std::vector<stated_limit> stated;
  shim::each_wanted(wanted, [&](limit l) {
    const bool whole = group != nullptr && !group->holds(l).empty();
    if (whole) stated.push_back({l, wanted[l], "enforced", std::string(group->holds(l))});
    if (whole && l != limit::cpu) return; // the kernel sooner ends a single process that uses all of it
    const enforcement alone = set_alone(l, wanted[l], to);
    if (!whole) stated.push_back({l, wanted[l], alone.grade, std::string(alone.by)});
  });
  return stated;
}

} // namespace cordon::linux_shim
