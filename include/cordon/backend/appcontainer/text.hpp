// SPDX-License-Identifier: BSL-1.0
/// The rules as text, one step a line, access control lists in SDDL. Each list is only the container's part: other
/// accounts keep their entries, and `D:P` means that the container inherits none.
#pragma once

#include "rules.hpp"

namespace cordon::appcontainer {

namespace detail {

template <class Out> constexpr void write_number(std::uint64_t n, std::uint64_t base, Out&& out) {
  char text[20]{};
  std::size_t from = sizeof text;
  do text[--from] = "0123456789abcdef"[n % base];
  while ((n /= base) != 0);
  out(std::string_view(text + from, sizeof text - from));
}

template <class Out> constexpr void write_package(const target& t, Out&& out) {
  out("S-1-15-2");
  for (const std::uint32_t part : t.package) {
    out("-");
    write_number(part, 10, out);
  }
}

template <class Out> constexpr void write_ace(std::string_view flags, std::uint32_t mask, const target& t, Out&& out) {
  if (mask == 0) return;
  out("(A;");
  out(flags);
  out(";0x");
  write_number(mask, 16, out);
  out(";;;");
  write_package(t, out);
  out(")");
}

} // namespace detail

/// Writes one list for a directory at the path (`directory`) and one for a file (`file`).
template <class Out> constexpr void write_acl(std::string_view place, const acl& a, const target& t, Out&& out) {
  const std::uint32_t self = directory_access(a.self), below = directory_access(a.below);
  out(a.present ? "acl present \"" : "acl \"");
  write_name(place, t.drive, out);
  out(a.isolated ? "\" directory D:P" : "\" directory D:");
  if (self == below) detail::write_ace("CI", self, t, out);
  else {
    detail::write_ace("", self, t, out);
    detail::write_ace("CIIO", below, t, out);
  }
  detail::write_ace("OIIO", file_access(a.below), t, out);
  out(a.isolated ? " file D:P" : " file D:");
  detail::write_ace("", file_access(a.self), t, out);
  out("\n");
}

// Limit flags of job objects (winnt.h).
inline constexpr std::uint32_t job_time = 0x4;                         ///< JOB_OBJECT_LIMIT_JOB_TIME
inline constexpr std::uint32_t job_active_process = 0x8;               ///< JOB_OBJECT_LIMIT_ACTIVE_PROCESS
inline constexpr std::uint32_t job_process_memory = 0x100;             ///< JOB_OBJECT_LIMIT_PROCESS_MEMORY
inline constexpr std::uint32_t job_memory = 0x200;                     ///< JOB_OBJECT_LIMIT_JOB_MEMORY
inline constexpr std::uint32_t job_die_on_unhandled_exception = 0x400; ///< JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION
inline constexpr std::uint32_t job_kill_on_close = 0x2000;             ///< JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
inline constexpr std::uint32_t job_ui_all = 0xFF; ///< all restrictions of windows and clipboard: JOB_OBJECT_UILIMIT_*

/// The limit flags of JOBOBJECT_BASIC_LIMIT_INFORMATION for the job.
[[nodiscard]] constexpr std::uint32_t job_flags(const job& j) {
  return job_kill_on_close | job_die_on_unhandled_exception | (j.user_time != 0 ? job_time : 0U) |
         (j.processes != 0 ? job_active_process : 0U) | (j.memory != 0 ? job_process_memory | job_memory : 0U);
}

/// Writes the rules in the order in which they take effect. `compile` has refused names with a quote.
template <class S, class Out> constexpr void write(const rules<S>& r, Out&& out) {
  const auto line = [&](std::string_view what, std::uint64_t n, std::uint64_t base) {
    out(what);
    detail::write_number(n, base, out);
    out("\n");
  };
  out("container ");
  detail::write_package(r.made_for, out);
  out("\n");
  if (r.internet) out("capability S-1-15-3-1\n");
  if (r.server) out("capability S-1-15-3-2\ncapability S-1-15-3-3\n");
  if (r.made_for.less_privileged) out("attribute ALL_APPLICATION_PACKAGES_POLICY 0x1\n");
  if (!r.spawn) out("attribute CHILD_PROCESS_POLICY 0x1\n");
  if (r.loopback) out("loopback exempt\n");
  else if (r.gateway) out("loopback gateway\n");
  // The account must keep its groups: a container needs the account's access in addition to its own.
  out("token disable-privileges\ntoken deny-only S-1-5-32-544\ntoken integrity S-1-16-4096\n");
  line("job flags 0x", job_flags(r.job), 16);
  if (r.job.user_time != 0) line("job user-time ", r.job.user_time, 10);
  if (r.job.processes != 0) line("job processes ", r.job.processes, 10);
  if (r.job.memory != 0) line("job memory ", r.job.memory, 10);
  line("job ui 0x", job_ui_all, 16);
  const auto acls = r.view(r.acls);
  for (std::uint32_t i = 0; i < acls.size(); ++i) write_acl(acls.place(i), acl::from(acls[i].value), r.made_for, out);
}

} // namespace cordon::appcontainer
