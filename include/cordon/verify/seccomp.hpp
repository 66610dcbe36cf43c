// SPDX-License-Identifier: BSL-1.0
/// Checks that a seccomp program decides as the policy does. It checks every number of the machine's system call table,
/// the edges of the range above it, and the calls of other machines. For calls that are decided by their arguments, it
/// checks every value that matters. The expected result is computed call by call, without the intervals and jumps of
/// the program.
#pragma once

#include "../backend/seccomp.hpp"
#include "tally.hpp"

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace cordon::verifying {

namespace detail {

using arguments = std::array<std::uint32_t, 4>;

/// The disposition of a system call number.
[[nodiscard]] constexpr seccomp::disposition decision_on(const seccomp::filter_spec& d, std::uint32_t number) {
  using namespace seccomp;
  if (d.cpu == arch::x86_64 && (number >= x32_bit || (number >= x32_slots_begin && number < x32_slots_end)))
    return disposition::kill;
  const call_class k = number < number_set::limit ? class_of(d.cpu, number) : call_class::unreviewed;
  if (number < number_set::limit && d.denied.has(number) && k != call_class::clone3) return disposition::refuse;
  return disposition_of(d, k);
}

[[nodiscard]] constexpr bool allows_socket(const seccomp::filter_spec& d, const arguments& a) {
  using namespace seccomp::constants;
  const std::uint32_t family = a[0], type = a[1] & kind_bits, protocol = a[2];
  const bool any = d.lifts(ability::raw_socket);
  if (family == af_unix) return d.unix_sockets || (d.unix_streams && (type == sock_stream || type == sock_seqpacket));
  if (family == af_netlink) return d.own && protocol == netlink_route;
  if (family == af_packet) return any;
  if (family != af_inet && family != af_inet6) return false;
  if (type == sock_stream) return protocol == 0 || protocol == tcp;
  if (type == sock_dgram) return d.udp && (protocol == 0 || protocol == udp);
  return type == sock_raw && any;
}

/// Is a call that is decided by its arguments allowed with these?
[[nodiscard]] constexpr bool allows_arguments(const seccomp::filter_spec& d, seccomp::disposition what,
                                              const arguments& a) {
  using namespace seccomp;
  using namespace seccomp::constants;
  if (const refused_argument r = refused_argument_of(what); r.any()) return !r.refuses(a[r.argument]);
  switch (what) {
  case disposition::clone_flags:
    return (d.lifts(ability::namespaces) || (a[0] & new_namespaces) == 0) && (d.spawn || (a[0] & thread) != 0);
  case disposition::socket_kind: return allows_socket(d, a);
  case disposition::socketpair_kind: {
    const std::uint32_t type = a[1] & kind_bits;
    const bool named = d.network && d.unix_sockets;
    return a[0] == af_unix && (type == sock_stream || type == sock_seqpacket || (type == sock_dgram && named));
  }
  case disposition::new_mode_2: return (a[1] & makes_file) == 0 || (a[2] & set_user_id) == 0;
  case disposition::new_mode_3: return (a[2] & makes_file) == 0 || (a[3] & set_user_id) == 0;
  case disposition::own_priority: return a[0] != prio_user && a[1] == 0;
  case disposition::own_io_priority: return a[0] != ioprio_user && a[1] == 0;
  default: return a[0] == 0;
  }
}

template <class S> [[nodiscard]] constexpr bool denies(const basic_policy<S>& p, std::string_view call) {
  const auto all = p.calls();
  const std::uint32_t i = all.find(call);
  return i != no_slot && all.place(i) == call && all[i].value == 0;
}

/// Every single bit, and the values that a filter compares arguments with.
[[nodiscard]] inline std::vector<std::uint32_t> values_that_matter() {
  using namespace seccomp::constants;
  std::vector<std::uint32_t> all{0, 3, 5, 6, 10, 17, 58, 0x801, 0x80002, 0x80003, 0xFFFFFFFF, thread | 17};
  for (unsigned bit = 0; bit < 32; ++bit) all.push_back(1U << bit);
  for (const seccomp::refused_argument& r : seccomp::refused_arguments)
    all.insert(all.end(), r.values.begin(), r.values.end());
  return all;
}

/// Checks one program; calls `f(difference)` if its result differs from the policy's.
template <class S, class F> class call_questions {
public:
  call_questions(const basic_policy<S>& p, const seccomp::rules<S>& r, F& f)
      : p_(p), r_(r), wanted_(seccomp::filter_spec_of(p, r.made_for)), f_(f) {}

  [[nodiscard]] const tally& all() const { return all_; }

  void about_the_program() { note(valid(r_.filter.code()), true, "the kernel takes the program"); }

  /// Derived from the policy itself: a call that an ability allows passes if the policy grants that ability, and
  /// otherwise fails.
  void about_abilities() {
    for (std::uint32_t n = 0; n < seccomp::number_set::limit; ++n) {
      const abilities by = seccomp::lifting(seccomp::class_of(r_.made_for.cpu, n));
      const std::string_view call = name_of(r_.made_for.cpu, n);
      if (by.empty() || call == "unshare") continue; // it is decided by its flags
      const bool named = by <= p_.abilities && !denies(p_, call);
      note(action_for(r_, number(n)) == seccomp::pass, named, "ability to call " + std::string(call));
    }
  }

  /// Derived from the policy itself: below level network, sockets pass only where they are the run's own.
  void about_sockets() {
    using namespace seccomp::constants;
    const auto& t = r_.made_for;
    const bool own = t.own_network && allows(p_, process_feature::own_sockets);
    const auto ask = [&](std::uint32_t family, std::uint32_t type, std::uint32_t protocol, bool wanted,
                         std::string_view text) {
      seccomp::data call = number(static_cast<std::uint32_t>(seccomp::number_of(t.cpu, "socket")));
      call.args[0] = family, call.args[1] = type, call.args[2] = protocol;
      note(action_for(r_, call) == seccomp::pass, wanted && !denies(p_, "socket"), std::string(text));
    };
    if (p_.level < level::network) ask(af_inet, sock_stream, 0, own, "a TCP socket");
    ask(af_netlink, sock_raw, netlink_route, own, "a netlink socket of routes");
    for (const std::uint32_t protocol : {2U, 9U, 15U})
      ask(af_netlink, sock_raw, protocol, false, "another netlink socket");
    if (!allows(p_, process_feature::own_sockets) || !t.judges_names)
      ask(af_unix, sock_stream, 0, false, "a unix stream");
    else if (own) ask(af_unix, sock_stream, 0, true, "a unix stream of the run");
    ask(af_unix, sock_dgram, 0, false, "a unix datagram socket");
  }

  void about(std::uint32_t n) {
    using namespace seccomp;
    constexpr seccomp::filter_action answers[plain_dispositions]{pass, not_permitted, no_such_call, kill_process};
    for (const arch other : {arch::x86_64, arch::aarch64, arch::riscv64})
      if (other != r_.made_for.cpu) check(number(n), other, kill_process, " of another machine");
    const disposition what = decision_on(wanted_, n);
    const auto index = static_cast<std::size_t>(what);
    if (index >= plain_dispositions) return about_arguments(n, what);
    check(number(n), r_.made_for.cpu, answers[index], "");
    seccomp::data every_bit = number(n);
    for (auto& x : every_bit.args) x = ~std::uint64_t{0};
    check(every_bit, r_.made_for.cpu, answers[index], " with arguments");
  }

private:
  void about_arguments(std::uint32_t n, seccomp::disposition what) {
    using seccomp::disposition;
    const auto ask = [&](const arguments& a) {
      const seccomp::filter_action right = allows_arguments(wanted_, what, a) ? seccomp::pass : seccomp::not_permitted;
      // The kernel uses only the lower half of each register.
      for (const std::uint64_t upper : {std::uint64_t{0}, std::uint64_t{1} << 32}) {
        seccomp::data call = number(n);
        for (std::size_t i = 0; i < a.size(); ++i) call.args[i] = upper | a[i];
        check(call, r_.made_for.cpu, right, " with arguments");
      }
    };
    for (const std::uint32_t x : values_) ask({x, 0, 0, 0}), ask({0, x, 0, 0}), ask({0, 0, x, 0}), ask({0, 0, 0, x});
    if (what == disposition::socket_kind || what == disposition::socketpair_kind)
      for (const std::uint32_t family : {1U, 2U, 10U, 16U, 17U})
        for (const std::uint32_t type : values_)
          for (const std::uint32_t protocol : {0U, 1U, 6U, 17U, 58U}) ask({family, type, protocol, 0});
    if (what == disposition::new_mode_2 || what == disposition::new_mode_3)
      for (const std::uint32_t flags : values_)
        for (const std::uint32_t mode : {0x1EDU, 0x9EDU, 0x5EDU, 0xFFFFU})
          ask({0, flags, mode, 0}), ask({0, 0, flags, mode});
  }

  [[nodiscard]] static seccomp::data number(std::uint32_t n) {
    seccomp::data call;
    call.nr = static_cast<decltype(call.nr)>(n);
    return call;
  }
  void check(seccomp::data call, seccomp::arch cpu, seccomp::filter_action wanted, std::string_view text) {
    call.arch = audit_arch(cpu);
    const seccomp::filter_action said = evaluate(r_.filter.code(), call);
    all_.count(said == wanted, false);
    if (said == wanted) return;
    f_(difference{"call " + std::to_string(static_cast<std::uint32_t>(call.nr)) + std::string(text),
                  said == seccomp::pass});
  }
  void note(bool said, bool wanted, const std::string& question) {
    all_.count(said == wanted, false);
    if (said != wanted) f_(difference{question, said});
  }

  const basic_policy<S>& p_;
  const seccomp::rules<S>& r_;
  const seccomp::filter_spec wanted_;
  F& f_;
  const std::vector<std::uint32_t> values_ = values_that_matter();
  tally all_;
};

} // namespace detail

/// Calls `f(difference)` for each call on which program and policy differ. O(numbers).
template <class S, class F>
[[nodiscard]] tally verify_seccomp(const basic_policy<S>& p, const plan<seccomp::rules<S>>& made, F&& f) {
  detail::call_questions<S, F> q(p, made.rules, f);
  q.about_the_program();
  q.about_abilities();
  q.about_sockets();
  for (std::uint32_t n = 0; n < seccomp::number_set::limit + 64; ++n) q.about(n);
  for (const std::uint32_t n : {0x3FFFFFFFU, 0x40000000U, 0x40000001U, 0x7FFFFFFFU, 0x80000000U, 0xFFFFFFFFU})
    q.about(n);
  return q.all();
}

} // namespace cordon::verifying
