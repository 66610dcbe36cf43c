// SPDX-License-Identifier: BSL-1.0
/// Namespaces: a policy as the steps of cordon's launcher on Linux. The process gets a private view of files made of
/// mounts, and private processes, System V objects, host name and network.
#pragma once

#include "../gap/plan.hpp"
#include "../notation/print.hpp"
#include "../query/query.hpp"
#include "mounts/compile.hpp"
#include "mounts/rules.hpp"

#include <span>

namespace cordon::namespaces {

inline constexpr std::string_view backend_name = "namespaces";

/// What the rules are compiled for.
struct target {
  bool gateway = false;   ///< cordon's egress gateway listens inside the network namespace and filters hosts
  bool merged_usr = true; ///< /bin, /lib and similar are symbolic links into /usr
  std::uint64_t private_bytes = std::uint64_t{1} << 30; ///< size limit of /tmp and of /dev/shm, each; 0: half of memory
};

/// The network that the process sees.
enum class network_mode : std::uint8_t {
  none,    ///< private and empty
  gateway, ///< private, with the gateway inside
  host,    ///< the host's
};

template <class S> struct rules : mounts::rules<S> {
  network_mode network = network_mode::none;
  bool nests = false; ///< the program may create user namespaces
  bool merged_usr = true;
  std::uint64_t private_bytes = 0;

  template <class F> constexpr void each_switch(F&& f) {
    if (network != network_mode::none) f([&] { network = network_mode::none; });
    if (nests) f([&] { nests = false; });
  }
};

inline constexpr gap_type gap_types[]{
    mounts::not_readable("namespaces.not_readable"),
    mounts::partial("namespaces.partial"),
    mounts::mount_point("namespaces.mount_point"),
    mounts::private_tree("namespaces.private_tree"),
    mounts::connect("namespaces.connect"),
    mounts::spawn("namespaces.spawn"),
    mounts::machine("namespaces.host_network"),
    mounts::inside("namespaces.private_network"),
    {"namespaces.hosts",
     gap_kind::tightened,
     {},
     gap_extent::place,
     process_feature::some_host,
     "no host can be reached: without a gateway nothing lets some hosts through and others not"},
};

struct backend {
  static constexpr std::string_view name = backend_name;
  using target = namespaces::target;
  [[nodiscard]] static constexpr std::span<const gap_type> gap_types() { return namespaces::gap_types; }
  static constexpr ability abilities[]{ability::namespaces}; ///< abilities that the rules distinguish
  static constexpr named_target<namespaces::target> targets[]{{"plain", {}}, {"gateway", {.gateway = true}}};
};

/// Compiles files and network. O(n log n) in the grants and in the path components above paths inside writable ones.
template <class S> [[nodiscard]] constexpr plan<rules<S>> compile(const basic_policy<S>& p, const target& t) {
  plan<rules<S>> made;
  rules<S>& r = made.rules;
  r.merged_usr = t.merged_usr;
  r.private_bytes = t.private_bytes;
  r.nests = p.abilities.has(ability::namespaces);
  r.network = allows(p, process_feature::any_host)                 ? network_mode::host
              : t.gateway && allows(p, process_feature::some_host) ? network_mode::gateway
                                                                   : network_mode::none;
  const bool shared = r.network == network_mode::host,
             all = allows(p, process_feature::listen) && allows(p, process_feature::any_port) &&
                   allows(p, process_feature::loopback),
             any = allows(p, process_feature::listen) || allows(p, process_feature::any_port) ||
                   allows(p, process_feature::loopback);
  bool fits = mounts::compile(p.files(), {gap_types[0], gap_types[1], gap_types[2], gap_types[3], gap_types[4]},
                              r.mounts, made.gaps);
  if (!allows(p, process_feature::spawn)) fits = made.gaps.add(gap_types[5]) && fits;
  if (shared && !all) fits = made.gaps.add(gap_types[6]) && fits;
  if (!shared && any) fits = made.gaps.add(gap_types[7]) && fits;
  if (r.network == network_mode::none && allows(p, process_feature::some_host))
    fits = made.gaps.add(gap_types[8]) && fits;
  if (!fits) made.error = {errc::policy_too_large};
  return made;
}

using mounts::permits;
template <class S> [[nodiscard]] constexpr bool permits(const rules<S>& r, ability which) {
  return r.nests && which == ability::namespaces;
}
template <class S> [[nodiscard]] constexpr bool permits(const rules<S>& r, process_feature which) {
  if (which == process_feature::spawn) return true;
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
  to.line(
      "user namespace: the caller's user and group stand for themselves, the real root for nobody; no other is mapped");
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
  if (!mounts::is_visible(mounts::access_at(all, mounts::own_temp))) to.put(", own /tmp");
  to.put(": in memory, ");
  if (r.private_bytes == 0) to.put("at most half of it\n");
  else to.put("at most "), to.number(r.private_bytes), to.put(" bytes each\n");
  for (const mounts::link& l : mounts::usr_links)
    if (r.merged_usr && mounts::wants(all, l)) to.line("link ", l.place, " to ", l.to);
  for (std::uint32_t i = whole ? 1 : 0; i < all.size(); ++i)
    if (mounts::is_made(all, i, mounts::at(all, i).directory)) bind(i);
  to.line("user namespaces inside: ", r.nests ? "allowed" : "refused");
  to.line("capabilities: none, and none can be gained");
}

} // namespace cordon::namespaces
