// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/availability.hpp>

#include "../posix/run_directory.hpp"
#include "prepared.hpp"

#include <sys/wait.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace cordon {
namespace {

using namespace macos_shim;

/// Empty if a program can be started under a profile, which means that a refusal was seen.
[[nodiscard]] std::string why_not() {
  const shim::run_directory own = shim::run_directory::make();
  loaded_policy p;
  const diagnostic d = p.write<axis_id::files>([&](auto& out) {
    for (const std::string_view place : {"/System", "/bin", "/usr"}) out.add({place, verb::run.bits(), {}});
  });
  if (d.code != diagnostic_code::ok) return "the probe's policy cannot be made";
  p.level = level::process_exec;
  const prepared ready(p, {}, {}, own.path());
  std::ofstream(own.path() + "/probe") << "cordon";
  std::ofstream(own.path() + "/profile") << ready.profile();
  char name[] = "/usr/bin/true";
  char* const argv[]{name, nullptr};
  char* const envp[]{nullptr};
  command what;
  what.path = name;
  what.argv = argv;
  what.envp = envp;
  const launched l = launch(what, ready.confinement());
  if (!l)
    return std::string("stage ") + bsd_shim::launch_stage_names[static_cast<int>(l.why.at)] +
           " failed: " + (l.why.words[0] != '\0' ? l.why.words : std::strerror(l.why.error));
  int status = 0;
  while (::waitpid(l.pid, &status, 0) < 0 && errno == EINTR) {}
  return status == 0 ? "" : "a program under a profile did not end as it does without one";
}

constexpr const char* remedy = "not to run within another sandbox, which macOS does not nest";

} // namespace

availability cordon::abi_0::probe_backend(launcher_id asked) {
  if (asked == launcher_id::none) return {"none", false, {}, {}};
  if (asked != launcher_id::automatic && asked != launcher_id::seatbelt)
    return {std::string(name(asked)), false, "this version of cordon cannot run programs under it on macOS", {}};
  const std::string why = why_not();
  return {"seatbelt", why.empty(), why.empty() ? why : why + "; it needs " + remedy, {}};
}

// A start also checks for a refusal before the program runs, but too late to choose a run without the backend.
availability cordon::abi_0::probe_to_start(launcher_id asked) { return probe_backend(asked); }

std::vector<ability_of_host> cordon::abi_0::examine_host() {
  const std::string why = why_not();
  return {{"seatbelt", why.empty(), why.empty() ? "a file that could be read was refused under a profile" : why,
           why.empty() ? "" : remedy}};
}

} // namespace cordon
