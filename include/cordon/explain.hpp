// SPDX-License-Identifier: BSL-1.0
/// Questions that need a backend's knowledge: system calls, hosts, command lines.
#pragma once

#include "backend/seccomp.hpp"
#include "guard.hpp"
#include "question.hpp"

namespace cordon {

namespace detail {

/// A host name, or an address, as far as its shape goes: not empty, no blank, NUL, percent sign, user part or empty
/// label; at most 253 bytes without a trailing dot and a port.
[[nodiscard]] constexpr bool is_host(std::string_view host) {
  if (!host.empty() && host.front() == '[') return host.find(']') != host.npos && host.find('%') == host.npos;
  if (const std::size_t colon = host.rfind(':'); colon != host.npos) {
    const std::string_view port = host.substr(colon + 1);
    if (port.empty() || port.size() > 5) return false;
    for (const char c : port)
      if (c < '0' || c > '9') return false;
    host = host.substr(0, colon);
  }
  if (!host.empty() && host.back() == '.') host.remove_suffix(1);
  if (host.empty() || host.size() > 253) return false;
  char last = '.';
  for (const char c : host) {
    if (c == '.' && last == '.') return false;
    if (static_cast<unsigned char>(c) <= ' ' || c == '%' || c == '@' || c == '/' || c == ':') return false;
    last = c;
  }
  return last != '.';
}

} // namespace detail

/// May a spawned process reach that host? The hosts axis is any or none.
template <class S> [[nodiscard]] constexpr verdict may_reach(const basic_policy<S>& p, std::string_view host) {
  if (!detail::is_host(host)) return {answer::malformed, axis::hosts, {}};
  return detail::gated(p, level::network, {}, {p.hosts().empty() ? answer::refuse : answer::allow, axis::hosts, {}});
}

/// The same for the host of a URL; only http and https are allowed.
template <class S> [[nodiscard]] constexpr verdict may_fetch(const basic_policy<S>& p, std::string_view url) {
  const std::size_t colon = url.find("://");
  if (colon == url.npos || colon == 0) return {answer::malformed, axis::hosts, {}};
  std::string_view host = url.substr(colon + 3);
  host = host.substr(0, host.find_first_of("/?#"));
  const verdict v = may_reach(p, host);
  const std::string_view scheme = url.substr(0, colon);
  if (v.answer == answer::allow && scheme != "http" && scheme != "https") return {answer::refuse, axis::hosts, {}};
  return v;
}

/// May a process make a system call of that name? Refused only if every use of it is, on x86_64.
template <class S> [[nodiscard]] constexpr verdict may_call(const basic_policy<S>& p, std::string_view which) {
  if (!seccomp::is_call(which)) return {answer::malformed, axis::syscalls, {}};
  const seccomp::demand d = seccomp::demand_of(p, {});
  const int number = seccomp::number_of(d.cpu, which);
  const verdict refuse{answer::refuse, axis::syscalls, {}};
  if (number < 0) return refuse;
  const auto n = static_cast<std::uint32_t>(number);
  const seccomp::kind k = seccomp::kind_of(d.cpu, n);
  seccomp::demand open = d;
  open.network = true;
  const auto refused = [&](const seccomp::demand& how) {
    const seccomp::decision x = seccomp::decide(how, k);
    return x == seccomp::decision::refuse || x == seccomp::decision::absent || x == seccomp::decision::kill;
  };
  if (p.level < level::network && refused(d) && !refused(open))
    return {answer::refuse, axis::level, {name(p.level), 1, {}}};
  const auto calls = p.calls();
  if (const entry e = calls.at(calls.find(which)); e.value == 0) return {answer::refuse, axis::syscalls, e};
  return refused(d) ? refuse : verdict{answer::allow, axis::syscalls, {}};
}

/// May that command line be started, as far as the guard sees it?
template <class S>
[[nodiscard]] constexpr verdict may_execute(const basic_policy<S>& p, std::span<const std::string_view> argv) {
  if (argv.empty() || argv.front().empty()) return {answer::malformed, axis::guard, {}};
  const guard_finding g = check_guard(p, argv);
  return detail::gated(
      p, level::process_exec, capability::exec,
      {g.refused() ? answer::refuse : answer::allow, axis::guard, g.refused() ? entry{name(g.code), 0, {}} : entry{}});
}

} // namespace cordon
