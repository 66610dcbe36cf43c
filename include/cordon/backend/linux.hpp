// SPDX-License-Identifier: BSL-1.0
/// The mechanisms of Linux as one backend: a view of namespaces with Landlock and a filter within it, or these two alone
/// where no namespaces can be made. An act passes only if every member lets it. So a gap is unenforced only if every
/// member leaves it, tightened if any member makes it.
#pragma once

#include "landlock.hpp"
#include "namespaces.hpp"
#include "seccomp.hpp"

#include <array>

namespace cordon::on_linux {

inline constexpr std::string_view backend_name = "linux";

/// Of Landlock and a filter without namespaces.
inline constexpr topic topics_alone[]{
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

/// What the rules of all members are made for.
struct target {
  int landlock_abi = landlock::highest_abi; ///< 0: none; the view alone then keeps files apart
  seccomp::arch cpu = seccomp::arch::x86_64;
  namespaces::target view{};

  /// Within the view no process and no System V object of the machine has a name, and what is no machine's network is
  /// the run's own.
  [[nodiscard]] constexpr seccomp::target filter(namespaces::reach network) const {
    return {cpu, true, true, view.gateway, network != namespaces::reach::machine};
  }
};

template <class Storage_> struct rules {
  using storage = Storage_;
  target made_for{};
  namespaces::rules<Storage_> view{};
  landlock::rules<Storage_> files{};
  seccomp::demand calls{};

  template <class Rules, class F> static constexpr void each_list(Rules& r, F&& f) {
    f(r.view.mounts);
    decltype(r.files)::each_list(r.files, f);
  }
  template <class F> constexpr void each_switch(F&& f) {
    view.each_switch(f);
    for (bool* does : {&calls.spawn, &calls.network, &calls.connect, &calls.listen})
      if (*does) f([&] { *does = false; });
  }
};

namespace detail {

/// What each member makes of the policy.
template <class S> struct members {
  plan<namespaces::rules<S>> view{};
  plan<landlock::rules<S>> files{};
  plan<seccomp::rules<S>> calls{};
};

template <class S> [[nodiscard]] constexpr members<S> members_of(const basic_policy<S>& p, const target& t) {
  members<S> all;
  all.view = namespaces::compile(p, t.view);
  if (t.landlock_abi > 0) all.files = landlock::compile(p, {t.landlock_abi, true});
  all.calls = seccomp::compile(p, t.filter(all.view.rules.network));
  return all;
}

template <std::size_t... N> [[nodiscard]] constexpr auto joined(const topic (&... lists)[N]) {
  std::array<topic, (N + ...)> all{};
  std::size_t at = 0;
  const auto add = [&](const auto& list) {
    for (const topic& t : list) all[at++] = t;
  };
  (add(lists), ...);
  return all;
}

/// Does a member keep what another one has no word for?
template <class S> [[nodiscard]] constexpr bool is_kept(const rules<S>& r, const gap& g) {
  if (g.what == "namespaces.connect") return !r.calls.unix_sockets || r.files.abi >= 9;
  if (g.what == "namespaces.spawn") return !r.calls.spawn;
  // What Landlock lacks or makes of files as a whole, the view gives: it shows what is granted and nothing else.
  return g.what.starts_with("landlock.") &&
         (g.kind == gap_kind::unenforced || g.what == "landlock.shared_memory" || g.what == "landlock.terminals");
}

template <class S> constexpr bool add_left(const gap_list<S>& from, plan<rules<S>>& made) {
  bool fits = true;
  for (std::uint32_t i = 0; i < from.size(); ++i)
    if (const gap g = from[i]; !is_kept(made.rules, g)) fits = made.gaps.add(g.kind, g.what, g.place) && fits;
  return fits;
}

} // namespace detail

inline constexpr auto topics = detail::joined(namespaces::topics, landlock::topics, seccomp::topics);

struct backend {
  static constexpr std::string_view name = backend_name;
  using target = on_linux::target;
  static constexpr ability abilities[]{ability::namespaces}; ///< that the rules tell from others
  static constexpr bool needs_known_calls = true;            ///< a denial of a call that no machine has is an error
  [[nodiscard]] static constexpr std::span<const topic> topics() { return on_linux::topics; }
  static constexpr named_target<on_linux::target> targets[]{
      {"10", {10}}, {"7", {7}}, {"1", {1}}, {"0", {0}}, {"gateway", {10, seccomp::arch::x86_64, {.gateway = true}}}};

  /// Calls `f.template operator()<Member>(plan)` with each member's rules of these and its own gaps: acts that two
  /// members refuse do not show whether both do.
  template <class S, class F> static constexpr void each_member(const basic_policy<S>& p, const rules<S>& r, F&& f) {
    detail::members<S> all = detail::members_of(p, r.made_for);
    all.view.rules = r.view, all.files.rules = r.files;
    all.calls.rules.filter = seccomp::compile(r.calls);
    f.template operator()<namespaces::backend>(all.view);
    if (r.files.abi > 0) f.template operator()<landlock::backend>(all.files);
    f.template operator()<seccomp::backend>(all.calls);
  }
};

/// Compiles all members. O(n log n) in the grants and the components on the way to places inside writable ones.
template <class S> [[nodiscard]] constexpr plan<rules<S>> compile(const basic_policy<S>& p, const target& t) {
  plan<rules<S>> made;
  const auto [view, files, calls] = detail::members_of(p, t);
  made.rules = {t, view.rules, files.rules, seccomp::demand_of(p, calls.rules.made_for)};
  for (const diagnostic& d : {view.error, files.error, calls.error})
    if (d.code != errc::ok) return made.error = d, made;
  if (!detail::add_left(view.gaps, made) || !detail::add_left(files.gaps, made) || !detail::add_left(calls.gaps, made))
    made.error = {errc::policy_too_large};
  return made;
}

template <class S>
[[nodiscard]] constexpr bool permits(const rules<S>& r, right what, std::string_view place,
                                     inode there = inode::unknown) {
  if (what == right::connect && !r.calls.unix_sockets) return false;
  return mounts::permits(r.view, what, place, there) && landlock::permits(r.files, what, place, there);
}
template <class S> [[nodiscard]] constexpr bool permits(const rules<S>& r, ability which) {
  return namespaces::permits(r.view, which) && r.calls.lifts(which);
}
template <class S> [[nodiscard]] constexpr bool permits(const rules<S>& r, facility which) {
  if (which == facility::spawn) return r.calls.spawn;
  return r.calls.network && namespaces::permits(r.view, which);
}

template <class S, class F> constexpr void each_way(const rules<S>& r, F&& f) { mounts::each_way(r.view, f); }
template <class S, class F> constexpr void each_place(const rules<S>& r, F&& f) {
  mounts::each_place(r.view, f);
  landlock::each_place(r.files, f);
}

/// The rules of each member for people.
template <class S, class Out> constexpr void write(const rules<S>& r, Out&& out) {
  namespaces::write(r.view, out);
  if (r.files.abi == 0) out("Landlock: none\n");
  else out("Landlock, within the view:\n"), landlock::write(r.files, out);
  out(r.calls.strict ? "filter: strict" : "filter: baseline");
  out(r.calls.spawn ? "" : ", no new processes");
  out(!r.calls.network                    ? ", no sockets\n"
      : r.calls.connect && r.calls.listen ? ", plain sockets\n"
      : r.calls.connect                   ? ", plain sockets that do not listen\n"
                                          : ", plain sockets by the gateway\n");
}

} // namespace cordon::on_linux
