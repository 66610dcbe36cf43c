// SPDX-License-Identifier: BSL-1.0
#include "run_messages.hpp"

#include "../common/host.hpp"
#include "subcommand.hpp"

#include <cordon/backend/namespaces/gap_types.hpp>
#include <cordon/backend/seccomp/gap_types.hpp>
#include <cordon/gap/run_gap_types.hpp>
#include <cordon/query/query.hpp>

#include <algorithm>
#include <string>

namespace cordon::cli {

void print_missing(const report& r, launcher_id asked, bool asks_for_own_sockets) {
  if (r.selected == selection::unconfined_reported) {
    if (asked != launcher_id::none || shim::is_first_within("unconfined", 60)) complain("not confined: " + r.reason);
    return;
  }
  std::string ids;
  for (const reported_gap& g : r.gaps)
    if (g.kind == gap_kind::unenforced) ids += " " + g.id;
  if (!ids.empty()) complain("not enforced here:" + ids);
  for (const reported_gap& g : r.gaps) {
    if (asks_for_own_sockets && g.id == seccomp::gaps::own.id) complain("sockets own: " + g.why + " (" + g.id + ")");
    if (g.id.starts_with(run_gaps::service_missing.id)) complain(g.why + " (" + g.id + ")");
  }
  const bool publishes = !r.published.empty(); // the caller knows that the network is private
  if (publishes || !r.policy || !allows(*r.policy, process_feature::listen) || r.policy->is_any<axis_id::sockets>())
    return;
  for (const reported_gap& g : r.gaps)
    if (g.id == seccomp::gaps::listen.id || g.id == namespaces::gaps::private_network.id)
      complain("the ports of the policy: " + g.why + " (" + g.id + ")");
}

void print_limit(ending how) {
  const auto print = [](limit which) { complain("ended by the limit " + std::string(name(which))); };
  switch (how) {
  case ending::timed_out: return print(limit::timeout);
  case ending::output_quota: return print(limit::output);
  case ending::memory_limit: return print(limit::memory);
  case ending::cpu_limit: return print(limit::cpu);
  default: return;
  }
}

void print_refused_tracing(const report& r) {
  const auto traces = [](const denial& d) { return d.seen == denial::source::seccomp && d.what == "ptrace"; };
  if (std::any_of(r.denials.begin(), r.denials.end(), traces))
    complain("ptrace(2) was refused; a debugger, strace or LeakSanitizer needs it: --abilities debug");
}

} // namespace cordon::cli
