// SPDX-License-Identifier: BSL-1.0
/// Checks, before the start, the hosts that a command line names. It also knows tools whose arguments are hosts (`curl
/// HOST`), which the guard does not. URLs must be http or https, whatever the host. It misses some hosts, such as those
/// in a file of addresses; enforcement covers these.
///
///   constexpr std::string_view argv[]{"curl", "-s", "evil.example"};
///   check_requested_hosts(argv, policy.hosts(), [](const host::judged_host& h) { /* h.written is evil.example */ });
#pragma once

#include "guard.hpp"
#include "requested_host.hpp"

namespace cordon {

/// The first argument that names a denied host. Calls `f` with that host, whose text is valid during the call.
/// Returns: no finding if every host is allowed. O(size of the command line).
template <class F>
[[nodiscard]] constexpr guard_finding check_requested_hosts(std::span<const std::string_view> argv,
                                                            const host_axis& hosts, F&& f) {
  if (argv.empty() || hosts.is_any()) return {};
  guard::words w(argv);
  guard::host_judge judge(hosts, guard::schemes::web);
  std::size_t found = guard::find_refused_host(w, judge);
  for (guard::program_walk walk(w); !walk.is_over() && found == w.size(); walk.go_on())
    found = guard::find_tool_host(w, walk.at(), walk.end(), judge);
  if (found == w.size()) return {};
  f(judge.found());
  return {guard_code::host_refused, w[found].argument};
}
/// The same, without the text of the host.
[[nodiscard]] constexpr guard_finding check_requested_hosts(std::span<const std::string_view> argv,
                                                            const host_axis& hosts) {
  return check_requested_hosts(argv, hosts, [](const host::judged_host&) {});
}

/// The same for a host that the caller knows the program will contact. `read` is the result of `parse_requested_host`
/// for `text`: a host, a host with a port, or a URL. Without a port, 443 applies.
[[nodiscard]] constexpr host::judged_host judge_requested_host(std::string_view text, const host::requested_host& read,
                                                               const host_axis& hosts) {
  host::judged_host to = host::written_parts(text);
  if (read.how == host::asking::host) to.port = read.port;
  const bool passes = hosts.is_any() && read.how != host::asking::malformed;
  to.why = passes ? host::refusal::none : host::refusal_of(hosts, read);
  return to;
}

} // namespace cordon
