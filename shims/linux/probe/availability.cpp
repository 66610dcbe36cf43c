// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/availability.hpp>

#include "probe.hpp"

#include <cstring>

namespace cordon {
namespace {

[[nodiscard]] std::string reason_of(const linux_shim::feature& f) {
  std::string text(f.reason);
  if (f.error != 0) text += std::string(text.empty() ? "" : ": ") + std::strerror(f.error);
  if (!f.remedy.empty()) text += "; " + std::string(f.remedy);
  return text;
}

[[nodiscard]] ability_of_host line(const char* name, const linux_shim::feature& f, std::string seen) {
  if (f) return {name, true, std::move(seen), {}};
  std::string why(f.reason);
  if (f.error != 0) why += std::string(": ") + std::strerror(f.error);
  return {name, false, std::move(why), std::string(f.remedy)};
}

/// `tried`: test namespaces and bwrap now, instead of at the start of a program.
[[nodiscard]] availability probe_with(launcher_id asked, bool tried) {
  if (asked == launcher_id::none) return {"none", false, {}};
  if (asked != launcher_id::automatic && asked != launcher_id::landlock && asked != launcher_id::namespaces &&
      asked != launcher_id::bubblewrap)
    return {std::string(name(asked)), false, "this version of cordon cannot run programs under it on Linux"};
  using linux_shim::observed;
  if (asked == launcher_id::bubblewrap) {
    linux_shim::host here = linux_shim::probe(tried ? observed::everything : observed::filters);
    if (!tried) here.bubblewrap = {true};
    const bool both = here.bubblewrap && here.seccomp_enforces;
    const linux_shim::feature& missing = here.bubblewrap ? here.seccomp_enforces : here.bubblewrap;
    return {"bubblewrap", both, both ? std::string() : reason_of(missing), enclosure::bubblewrap, missing.untried};
  }
  linux_shim::host here = linux_shim::probe(observed::filters);
  const auto untried = [](const linux_shim::feature& f, const char* name) {
    return availability{name, false, reason_of(f), {}, true};
  };
  // Tries no other mechanism, which would be less than this host can do.
  for (const linux_shim::feature* f : {&here.landlock_enforces, &here.seccomp_enforces})
    if (f->untried) return untried(*f, asked == launcher_id::namespaces ? "namespaces" : "landlock");
  // Without Landlock, only namespaces are left.
  const bool rest = !here.landlock_enforces;
  if (asked != launcher_id::landlock && (tried || rest))
    here = linux_shim::probe(rest ? observed::everything : observed::mechanisms);
  for (const linux_shim::feature* f :
       {&here.landlock_enforces, &here.seccomp_enforces, &here.namespaces, &here.bubblewrap})
    if (asked != launcher_id::landlock && f->untried) return untried(*f, "namespaces");
  const linux_shim::feature& filter = here.seccomp_enforces;
  if (asked != launcher_id::landlock) {
    if (filter && (here.namespaces || (!tried && here.landlock_enforces)))
      return {"namespaces", true, {}, enclosure::namespaces};
    if (asked == launcher_id::namespaces) return {"namespaces", false, reason_of(filter ? here.namespaces : filter)};
    if (filter && !here.landlock_enforces && here.bubblewrap) return {"bubblewrap", true, {}, enclosure::bubblewrap};
  }
  if (!here.landlock_enforces) return {"landlock", false, reason_of(here.landlock_enforces)};
  return {"landlock", bool(filter), filter ? std::string() : reason_of(filter)};
}

} // namespace

availability cordon::abi_0::probe_backend(launcher_id asked) { return probe_with(asked, true); }
availability cordon::abi_0::probe_to_start(launcher_id asked) { return probe_with(asked, false); }

std::vector<ability_of_host> cordon::abi_0::examine_host() {
  const linux_shim::host h = linux_shim::probe();
  std::vector<ability_of_host> all;
  all.push_back({"kernel", true, h.release, {}});
  all.push_back(line("landlock", h.landlock_enforces,
                     "ABI " + std::to_string(h.landlock_abi) + ": a child that may open nothing was refused"));
  all.push_back(line("seccomp", h.seccomp_enforces, "a filtered call returned the filter's errno"));
  all.push_back(line("namespaces", h.namespaces, "a child in a private view saw no file of the machine"));
  all.push_back(line("bubblewrap", h.bubblewrap, "the same, as bwrap makes it"));
  all.push_back(line("pidfd", h.pidfd, "a child was waited for by descriptor"));
  all.push_back(line("control groups", h.cgroup, "a group was made in " + h.cgroup_directory + " and removed"));
  all.push_back(
      {"fast launch", h.clone3_clear_sighand,
       h.clone3_clear_sighand ? "clone3 clears signal handlers" : "clone3 is refused: launches cost some 10 us more",
       h.clone3_clear_sighand ? "" : "allow clone3, or use a kernel of 5.5 or later"});
  all.push_back({"io_uring", true, h.io_uring ? "present here, and refused to every program" : "not present", {}});
  all.push_back({"terminals",
                 true,
                 h.legacy_tiocsti ? "input can be pushed into a terminal here; refused to every program"
                                  : "no input can be pushed into them",
                 {}});
  return all;
}

} // namespace cordon
