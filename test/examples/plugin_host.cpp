// SPDX-License-Identifier: BSL-1.0
/// A host of plug-ins: each comes with a policy of its own, which is cut to what the host grants at most.
///   plugin_host POLICY PROGRAM [ARGUMENT...]
#include <cordon.hpp>
#include <cordon/policy/heap.hpp>
#include <cordon/run/load.hpp>
#include <cordon/run/report.hpp>

#include <cstdio>
#include <string>
#include <vector>

using namespace cordon::dsl;

namespace {

constexpr cordon::policy ceiling = cordon::policy_of({can_run("/usr"), can_read("/etc"), hidden("/etc/shadow")});
constexpr cordon::policy viewer = cordon::policy_of({can_run("/usr"), can_read("/etc/fonts")});
static_assert(cordon::within<viewer, ceiling>()); // the plug-in that we ship needs no more

/// Prints what the policy of the plug-in grants and the ceiling does not.
void tell_excess(const cordon::loaded_policy& wanted) {
  cordon::excess(wanted, ceiling, [](const cordon::violation& v) {
    if (v.axis == cordon::axis::files) std::printf("not granted: %s\n", std::string(v.place).c_str());
  });
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fputs("usage: plugin_host POLICY PROGRAM [ARGUMENT...]\n", stderr), 2;
  try {
    cordon::host_policy wanted = cordon::load_policy(argv[1]);
    tell_excess(wanted.policy);
    std::fflush(stdout); // before the plug-in writes there
    wanted.policy = wanted.policy & ceiling;
    cordon::run_request request = cordon::request_for(std::move(wanted), {argv + 2, argv + argc});
    request.directory = "/usr";
    const cordon::report r = cordon::run(std::move(request));
    if (!r.ended.why.empty()) std::fprintf(stderr, "%s\n", r.ended.why.c_str());
    return cordon::exit_status(r.ended);
  } catch (const std::exception& e) { return std::fprintf(stderr, "%s\n", e.what()), 2; }
}
