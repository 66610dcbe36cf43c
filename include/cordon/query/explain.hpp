// SPDX-License-Identifier: BSL-1.0
/// Queries that need data of a backend: system calls, hosts, command lines.
#pragma once

#include "../backend/seccomp.hpp"
#include "../guard/guard.hpp"
#include "../host/decide.hpp"
#include "query.hpp"

namespace cordon {

/// A verdict on a host. If a pattern decides, `pattern` has it, with a leading `!` for a denied one, and `clause` is
/// empty.
struct host_verdict : verdict {
  host::pattern_text pattern{}; ///< the pattern that decided
};

/// May a spawned process reach that host? `host::parse_requested_host` parses one.
template <class S>
[[nodiscard]] constexpr host_verdict may_reach(const basic_policy<S>& p, const host::requested_host& what) {
  const host::decision own = host::decide(p.hosts(), what);
  if (own.ruling == host::ruling::malformed) return {{ruling::malformed, axis::hosts, {}}, {}};
  const verdict v =
      detail::gated(p, level::network, {}, {own.allowed() ? ruling::allow : ruling::refuse, axis::hosts, {}});
  if (v.axis != axis::hosts || p.template is_any<axis_id::hosts>()) return {v, {}};
  return {v, own.clause};
}
/// May the program reach the host? Text as for `parse_requested_host`.
template <class S> [[nodiscard]] constexpr host_verdict may_reach(const basic_policy<S>& p, std::string_view host) {
  return may_reach(p, host::parse_requested_host(host));
}

/// The same for the host of a URL. Refuses every scheme except http and https. A text without `://` is malformed.
template <class S> [[nodiscard]] constexpr host_verdict may_fetch(const basic_policy<S>& p, std::string_view url) {
  if (url.find("://") == url.npos) return {{ruling::malformed, axis::hosts, {}}, {}};
  return may_reach(p, url);
}

/// May a process make a system call of that name? Refused only if every use of the call is refused, on x86_64.
template <class S> [[nodiscard]] constexpr verdict may_call(const basic_policy<S>& p, std::string_view which) {
  if (!seccomp::is_call(which)) return {ruling::malformed, axis::syscalls, {}};
  const seccomp::filter_spec d =
      seccomp::filter_spec_of(p, {.gateway = true, .own_network = allows(p, process_feature::own_sockets)});
  const int number = seccomp::number_of(d.cpu, which);
  const verdict refuse{ruling::refuse, axis::syscalls, {}};
  if (number < 0) return refuse;
  const auto n = static_cast<std::uint32_t>(number);
  const seccomp::call_class k = seccomp::class_of(d.cpu, n);
  seccomp::filter_spec open = d;
  open.network = open.connect = open.listen = true;
  const auto refused = [&](const seccomp::filter_spec& how) {
    const seccomp::disposition x = seccomp::disposition_of(how, k);
    return x == seccomp::disposition::refuse || x == seccomp::disposition::absent || x == seccomp::disposition::kill;
  };
  if (p.level < level::network && refused(d) && !refused(open))
    return {ruling::refuse, axis::level, {name(p.level), 1, {}}};
  const auto calls = p.calls();
  if (const entry e = calls.at(calls.find(which)); e.value == 0) return {ruling::refuse, axis::syscalls, e};
  return refused(d) ? refuse : verdict{ruling::allow, axis::syscalls, {}};
}
template <class S> verdict may_call(const basic_policy<S>&&, std::string_view) = delete;

/// May that command line be started in that directory, according to the guard? If `cwd` is empty, the guard does not
/// check paths.
template <class S>
[[nodiscard]] constexpr verdict may_execute(const basic_policy<S>& p, std::span<const std::string_view> argv,
                                            std::string_view cwd = {}) {
  if (argv.empty() || argv.front().empty()) return {ruling::malformed, axis::guard, {}};
  const guard_finding g = check_guard(p, argv, cwd);
  return detail::gated(
      p, level::process_exec, capability::exec,
      {g.refused() ? ruling::refuse : ruling::allow, axis::guard, g.refused() ? entry{name(g.code), 0, {}} : entry{}});
}

} // namespace cordon
