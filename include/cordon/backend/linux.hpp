// SPDX-License-Identifier: BSL-1.0
/// The mechanisms of Linux as one backend: a gap is unenforced only if every member leaves it, tightened if any member
/// makes it.
#pragma once

#include "landlock.hpp"
#include "seccomp.hpp"

namespace cordon::on_linux {

inline constexpr topic topics[]{
    {"tree.daemons",
     gap_kind::unenforced,
     rights(),
     scope::beneath,
     {},
     "a process that left the program's session survives if cordon itself is killed by SIGKILL"}};

/// Does the filter keep what Landlock has no word for? Without a way to make a unix socket nobody connects to one.
[[nodiscard]] constexpr bool closes(const seccomp::demand& d, std::string_view landlock_gap) {
  return !d.unix_sockets && (landlock_gap == "landlock.connect" || landlock_gap == "landlock.abstract");
}

/// The gaps of Landlock and seccomp together, without a namespace of any kind.
template <class S>
[[nodiscard]] constexpr gap_list<S> gaps(const gap_list<S>& landlock, const basic_policy<S>& p,
                                         const seccomp::demand& d) {
  gap_list<S> all;
  for (std::uint32_t i = 0; i < landlock.size(); ++i)
    if (const gap g = landlock[i]; !closes(d, g.what)) all.add(g.kind, g.what, g.place);
  const auto of_seccomp = seccomp::compile(p, {d.cpu, d.pid_namespace, d.ipc_namespace}).gaps;
  for (std::uint32_t i = 0; i < of_seccomp.size(); ++i) all.add(of_seccomp[i].kind, of_seccomp[i].what);
  all.add(gap_kind::unenforced, "tree.daemons");
  return all;
}

} // namespace cordon::on_linux
