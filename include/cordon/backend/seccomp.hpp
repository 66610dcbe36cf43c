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

inline constexpr std::string_view backend_name = "seccomp";

/// What the filter is compiled for.
struct target {
  arch cpu = arch::x86_64;
  bool pid_namespace = false; ///< processes outside the run have no pid inside it
  bool ipc_namespace = false; ///< System V objects and message queues are private to the run
  bool gateway = false;       ///< a gateway outside filters the hosts that the policy lists
  bool own_network = false;   ///< only programs of the run can reach one another
  bool set_id = true; ///< no other user can execute files that the program leaves, so they may run as their owner
};

template <class Storage_> struct rules {
  using storage = Storage_;
  target made_for{};
  program filter{};
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
  const bool inside = t.own_network && (allows(p, process_feature::loopback) || allows(p, process_feature::listen));
  d.network =
      p.level == level::network && (inside || (t.gateway ? !p.hosts().is_none() : p.template is_any<axis_id::hosts>()));
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

/// Compiles the policy. O(numbers). `bad_value`: the policy denies an unknown call.
template <class S> [[nodiscard]] constexpr plan<rules<S>> compile(const basic_policy<S>& p, target t) {
  const filter_spec d = filter_spec_of(p, t);
  plan<rules<S>> made{{t, compile(d)}, {}, {}};
  bool fits = made.gaps.add(gap_kind::tightened, "seccomp.baseline");
  if (d.network) fits = made.gaps.add(gap_kind::tightened, "seccomp.network") && fits;
  else if (p.level == level::network && !p.hosts().is_none())
    fits = made.gaps.add(gap_kind::tightened, "seccomp.hosts") && fits;
  if (d.network && !d.listen) fits = made.gaps.add(gap_kind::tightened, "seccomp.listen") && fits;
  if (!d.unix_sockets) fits = made.gaps.add(gap_kind::tightened, "seccomp.connect") && fits;
  if (!d.set_id) fits = made.gaps.add(gap_kind::tightened, "seccomp.set_id") && fits;
  if (!fits) made.error = {errc::policy_too_large};
  if (const std::string_view unknown = unknown_call(p); !unknown.empty()) made.error = {errc::bad_value, 0, 0, unknown};
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

struct backend {
  static constexpr std::string_view name = backend_name;
  using target = seccomp::target;
  [[nodiscard]] static constexpr std::span<const gap_type> gap_types() { return seccomp::gap_types; }
  static constexpr named_target<seccomp::target> targets[]{
      {"x86_64", {arch::x86_64}}, {"aarch64", {arch::aarch64}}, {"riscv64", {arch::riscv64}}};
};

} // namespace cordon::seccomp
