// SPDX-License-Identifier: BSL-1.0
/// seccomp: a policy's level, abilities and system calls as a filter program of the Linux kernel.
#pragma once

#include "../gap/plan.hpp"
#include "../policy/policy.hpp"
#include "../query/query.hpp"
#include "seccomp/compile.hpp"
#include "seccomp/disassemble.hpp"
#include "seccomp/evaluate.hpp"
#include "seccomp/gap_types.hpp"
#include "seccomp/user_notification.hpp"

#include <span>

namespace cordon::seccomp {

inline constexpr std::string_view backend_name = "seccomp"; ///< the name on the command line, and in IDs of gaps

/// What the filter is compiled for.
struct target {
  arch cpu = arch::x86_64;    ///< the processor that the filter is for
  bool pid_namespace = false; ///< processes outside the run have no pid inside it
  bool ipc_namespace = false; ///< System V objects and message queues are private to the run
  bool gateway = false;       ///< a gateway outside filters the hosts that the policy lists
  bool own_network = false;   ///< only programs of the run can reach one another
  bool judges_names = false;  ///< another mechanism refuses to connect to unix sockets outside the run, named or not
  bool set_id = true; ///< no other user can execute files that the program leaves, so they may run as their owner
};

/// The rules: one program of classic BPF.
template <class Storage_> struct rules {
  using storage = Storage_; ///< what holds the lists
  target made_for{};        ///< the target that the rules are compiled for
  program filter{};         ///< the program for seccomp(2)
};

/// Returns the first denied name that no architecture has, or an empty text: a misspelled denial must not be ignored.
template <class S> [[nodiscard]] constexpr std::string_view unknown_call(const basic_policy<S>& p) {
  const auto all = p.calls();
  for (std::uint32_t i = 0; i < all.size(); ++i)
    if (all[i].value == 0 && !is_call(all.place(i))) return all.place(i);
  return {};
}

/// Translates the policy to a filter spec. A denied call that only this architecture lacks needs no rule.
template <class S> [[nodiscard]] constexpr filter_spec filter_spec_of(const basic_policy<S>& p, target t) {
  filter_spec d;
  d.cpu = t.cpu;
  d.strict = p.syscalls == syscalls::strict;
  d.lifted = p.abilities.bits();
  d.spawn = p.abilities.has(ability::spawn);
  d.own = t.own_network && allows(p, process_feature::own_sockets);
  d.unix_streams = t.judges_names && allows(p, process_feature::own_sockets);
  const bool inside =
      d.own || (t.own_network && (allows(p, process_feature::loopback) || allows(p, process_feature::listen)));
  d.network = inside || allows(p, t.gateway ? process_feature::some_host : process_feature::any_host);
  d.connect = inside || p.template is_any<axis_id::hosts>();
  d.listen = inside || p.template is_any<axis_id::sockets>();
  d.pid_namespace = t.pid_namespace;
  d.ipc_namespace = t.ipc_namespace;
  d.set_id = t.set_id;
  const auto all = p.calls();
  for (std::uint32_t i = 0; i < all.size(); ++i)
    if (const int number = all[i].value == 0 ? number_of(t.cpu, all.place(i)) : -1; number >= 0)
      d.denied.insert(static_cast<std::uint32_t>(number));
  return d;
}

/// Adds the gaps of the filter that `d` specifies for that target. Returns false if the storage is full.
template <class S>
[[nodiscard]] constexpr bool note_gaps(const basic_policy<S>& p, target t, const filter_spec& d, gap_list<S>& all) {
  bool fits = all.add(gaps::baseline);
  const bool own = allows(p, process_feature::own_sockets);
  const bool reaches_hosts = allows(p, t.gateway ? process_feature::some_host : process_feature::any_host);
  if (d.network && p.level == level::network) fits = all.add(gaps::network) && fits;
  if (!reaches_hosts && allows(p, process_feature::some_host)) fits = all.add(gaps::hosts) && fits;
  if (d.network && !d.listen) fits = all.add(gaps::listen) && fits;
  if (!d.connects_to_names()) fits = all.add(gaps::connect) && fits;
  // Where the program may listen on any port of the machine's network, its processes can also reach one another.
  const bool on_any_port = d.network && p.template is_any<axis_id::sockets>();
  if (own && !d.own && !on_any_port) fits = all.add(gaps::own) && fits;
  if (d.own && !d.connects_to_names()) fits = all.add(gaps::own_unix) && fits;
  if (d.own && d.unix_streams) fits = all.add(gaps::own_datagrams) && fits;
  if (!d.set_id) fits = all.add(gaps::set_id) && fits;
  return fits;
}

/// Compiles the policy. O(numbers). `bad_value`: the policy denies an unknown call.
template <class S> [[nodiscard]] constexpr plan<rules<S>> compile(const basic_policy<S>& p, target t = {}) {
  const filter_spec d = filter_spec_of(p, t);
  plan<rules<S>> made;
  made.rules = {t, compile(d)};
  if (!note_gaps(p, t, d, made.gaps)) made.error = {diagnostic_code::policy_too_large};
  if (const std::string_view unknown = unknown_call(p); !unknown.empty())
    made.error = {diagnostic_code::bad_value, 0, 0, unknown};
  return made;
}

/// Returns the kernel's action for a call with that number and those arguments, made through the native ABI.
template <class S> [[nodiscard]] constexpr filter_action action_for(const rules<S>& r, data call) {
  call.arch = audit_arch(r.made_for.cpu);
  return evaluate(r.filter.code(), call);
}

/// Writes the program as text, one instruction a line.
template <class S, class Out> constexpr void write(const rules<S>& r, Out&& out) {
  disassemble(r.made_for.cpu, r.filter.code(), [&](std::string_view line) { out(line), out("\n"); });
}

/// The backend as a type, for `backends`.
struct backend {
  static constexpr std::string_view name = backend_name; ///< the name of the backend
  using target = seccomp::target;                        ///< what the rules are compiled for
  /// The types of gaps that its plans can have.
  [[nodiscard]] static constexpr std::span<const gap_type> gap_types() { return seccomp::gap_types; }
  /// Targets whose rules differ.
  static constexpr named_target<seccomp::target> targets[]{
      {"x86_64", {arch::x86_64}}, {"aarch64", {arch::aarch64}}, {"riscv64", {arch::riscv64}}};
};

} // namespace cordon::seccomp
