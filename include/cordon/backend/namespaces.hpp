// SPDX-License-Identifier: BSL-1.0
/// Namespaces: a policy as the steps of cordon's launcher on Linux. The process gets a private view of files made of
/// mounts, and private processes, System V objects, host name and network.
#pragma once

#include "../gap/plan.hpp"
#include "../notation/print.hpp"
#include "namespaces/gap_types.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace cordon::namespaces {

inline constexpr std::string_view backend_name = "namespaces"; ///< the name on the command line, and in IDs of gaps

/// What the rules are compiled for.
struct target {
  bool gateway = false;   ///< cordon's egress gateway listens inside the network namespace and filters hosts
  bool merged_usr = true; ///< /bin, /lib and similar are symbolic links into /usr
  std::uint64_t private_bytes = std::uint64_t{1}
                                << 30; ///< size limit of /tmp, /run and /dev/shm, each; 0: half of memory
};

/// The network that the process sees.
enum class network_mode : std::uint8_t {
  none,    ///< private and empty
  gateway, ///< private, with the gateway inside
  host,    ///< the host's
};

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 3> network_mode_names{"none", "gateway", "host"};
/// Returns: the name of the enumerator.
[[nodiscard]] constexpr std::string_view name(network_mode m) {
  return network_mode_names[static_cast<std::size_t>(m)];
}

/// The rules: the mounts of the view, and its network.
template <class S> struct rules : mounts::isolation_rules<S> {
  network_mode network = network_mode::none; ///< the network that the program sees
  bool merged_usr = true;                    ///< /bin, /lib and similar are links into /usr
  std::uint64_t private_bytes = 0;           ///< size limit of each private memory file system; 0: half of memory

  /// Calls `f(loosen)` for each rule that is no list. `loosen()` drops that rule: a proof must notice.
  template <class F> constexpr void each_switch(F&& f) {
    if (network != network_mode::none) f([&] { network = network_mode::none; });
    if (this->nests) f([&] { this->nests = false; });
  }
};

/// The backend as a type, for `backends`.
struct backend {
  static constexpr std::string_view name = backend_name; ///< the name of the backend
  using target = namespaces::target;                     ///< what the rules are compiled for
  /// The types of gaps that its plans can have.
  [[nodiscard]] static constexpr std::span<const gap_type> gap_types() { return namespaces::gap_types; }
  static constexpr ability abilities[]{ability::namespaces}; ///< abilities that the rules distinguish
  /// Targets whose rules differ.
  static constexpr named_target<namespaces::target> targets[]{{"plain", {}}, {"gateway", {.gateway = true}}};
};

/// The same as `compile`, into the parts of an empty plan.
template <class S> constexpr void compile_to(const basic_policy<S>& p, const target& t, plan_parts<rules<S>> made) {
  rules<S>& r = made.rules;
  r.merged_usr = t.merged_usr;
  r.private_bytes = t.private_bytes;
  r.network = allows(p, process_feature::any_host)                 ? network_mode::host
              : t.gateway && allows(p, process_feature::some_host) ? network_mode::gateway
                                                                   : network_mode::none;
  mounts::compile_isolation(p, isolation_gaps, t.gateway, made);
}

/// Compiles files and network. O(n log n) in the grants and in the path components above paths inside writable ones.
template <class S> [[nodiscard]] constexpr plan<rules<S>> compile(const basic_policy<S>& p, const target& t = {}) {
  plan<rules<S>> made;
  compile_to(p, t, made.parts());
  return made;
}

using mounts::permits;
/// May a process under the rules do this?
template <class S> [[nodiscard]] constexpr bool permits(const rules<S>& r, process_feature which) {
  if (which == process_feature::spawn || which == process_feature::own_sockets) return true;
  if (which == process_feature::some_host) return r.network != network_mode::none;
  return r.network == network_mode::host;
}

namespace detail {

[[nodiscard]] constexpr std::string_view text(mounts::mount_access k) {
  switch (k) {
  case mounts::mount_access::hidden: return "hide";
  case mounts::mount_access::read_only_noexec: return "read-only noexec";
  case mounts::mount_access::writable_noexec: return "writable noexec";
  case mounts::mount_access::read_only: return "read-only";
  case mounts::mount_access::writable: return "writable";
  }
  return {};
}

[[nodiscard]] constexpr std::string_view text(network_mode r) {
  switch (r) {
  case network_mode::none: return "of its own and empty; its loopback is private";
  case network_mode::gateway: return "of its own; hosts are reached through the gateway alone; its loopback is private";
  case network_mode::host: return "the machine's";
  }
  return {};
}

} // namespace detail

/// Writes one step a line, in the launcher's order; paths are words of the notation.
template <class S, class Out> constexpr void write(const rules<S>& r, Out&& out) {
  notation::printer<Out> to(out);
  const mounts::list all = mounts::view(r.mounts);
  const bool whole = mounts::is_visible(mounts::access_at(all, "/"));
  to.line("user namespace: the caller's user and group keep their IDs, but root's become 65534; no other ID is mapped");
  to.line("mount, pid, ipc, uts and cgroup namespaces: of its own");
  to.line("network: ", detail::text(r.network));
  if (!whole) to.line("root: empty in memory, read-only; its directories can be walked through and not listed");
  const auto bind = [&](std::uint32_t i) {
    const mounts::mount m = mounts::at(all, i);
    if (m.bind_to_itself) to.put("pin ");
    to.put(detail::text(m.directory)), to.put(" "), to.word(all.place(i));
    if (m.file != m.directory) to.put("; a file: "), to.put(detail::text(m.file));
    if (m.socket && !mounts::is_visible(m.directory)) to.put("; a socket: shown");
    to.put("\n");
  };
  if (whole) bind(0);
  to.line("own /proc: of its own pid namespace; sys, sysrq-trigger, irq and bus read-only");
  to.line("own /dev: null zero full random urandom tty ptmx pts shm; read-only");
  to.put("own /dev/shm");
  for (const std::string_view own : mounts::own_directories)
    if (mounts::has_own(all, own)) to.put(", own "), to.put(own);
  to.put(": in memory, ");
  if (r.private_bytes == 0) to.put("at most half of it\n");
  else to.put("at most "), to.number(r.private_bytes), to.put(" bytes each\n");
  for (const mounts::link& l : mounts::usr_links)
    if (r.merged_usr && mounts::wants(all, l)) to.line("link ", l.place, " to ", l.to);
  if (mounts::wants_var_run(all)) to.line("link ", mounts::var_run, " to ", mounts::own_run);
  for (std::uint32_t i = whole ? 1 : 0; i < all.size(); ++i)
    if (mounts::is_made(all, i, mounts::at(all, i).directory)) bind(i);
  to.line("user namespaces inside: ", r.nests ? "allowed" : "refused");
  to.line("capabilities: none, and none can be gained");
}

} // namespace cordon::namespaces
