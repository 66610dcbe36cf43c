// SPDX-License-Identifier: BSL-1.0
/// The mechanisms of Linux as one backend: a view of namespaces, made by cordon or by bwrap, with Landlock and a
/// seccomp filter inside it. Without namespaces, Landlock and the filter work alone. An operation passes only if every
/// member allows it. So a gap is unenforced only if every member leaves it, and tightened if any member has it.
#pragma once

#include "bubblewrap.hpp"
#include "landlock.hpp"
#include "namespaces.hpp"
#include "seccomp.hpp"

#include <array>

namespace cordon::on_linux {

inline constexpr std::string_view backend_name = "linux";

/// Additional gap types of Landlock and seccomp without namespaces.
inline constexpr gap_type gap_types_alone[]{{"tree.daemons",
                                             gap_kind::unenforced,
                                             rights(),
                                             gap_extent::beneath,
                                             {},
                                             "processes that the program has started outlive cordon if SIGKILL ends "
                                             "cordon, and so does the program if it has asked for that"},
                                            {"network.host_loopback", gap_kind::unenforced, rights(),
                                             gap_extent::beneath, process_feature::loopback,
                                             "if any host may be reached, the network is the machine's: the program "
                                             "can reach its local servers and receive datagrams on its ports"}};

/// Returns whether the filter closes a gap of Landlock: a process that cannot create a unix socket cannot connect to
/// one.
[[nodiscard]] constexpr bool closes(const seccomp::filter_spec& d, std::string_view landlock_gap) {
  return !d.unix_sockets && (landlock_gap == "landlock.connect" || landlock_gap == "landlock.abstract");
}

/// Returns the gaps of Landlock and seccomp together, without namespaces.
template <class S>
[[nodiscard]] constexpr gap_list<S> gaps(const gap_list<S>& landlock, const basic_policy<S>& p,
                                         const seccomp::filter_spec& d) {
  gap_list<S> all;
  for (std::uint32_t i = 0; i < landlock.size(); ++i)
    if (const gap g = landlock[i]; !closes(d, g.what)) all.add(g.kind, g.what, g.place);
  const auto of_seccomp = seccomp::compile(p, {d.cpu, d.pid_namespace, d.ipc_namespace, false, false, d.set_id}).gaps;
  for (std::uint32_t i = 0; i < of_seccomp.size(); ++i) all.add(of_seccomp[i].kind, of_seccomp[i].what);
  all.add(gap_kind::unenforced, "tree.daemons");
  if (d.network && d.connect && !allows(p, process_feature::loopback))
    all.add(gap_kind::unenforced, "network.host_loopback");
  return all;
}

/// The backend that makes the view, and its ids of the gaps that other members can close.
struct own_view {
  using backend = namespaces::backend;
  template <class S> using rules = namespaces::rules<S>;
  static constexpr const auto& gap_types = namespaces::gap_types;
  static constexpr std::string_view connect = "namespaces.connect", spawn = "namespaces.spawn", run{};
  template <class S> [[nodiscard]] static constexpr auto compile(const basic_policy<S>& p, const backend::target& t) {
    return namespaces::compile(p, t);
  }
  template <class S> [[nodiscard]] static constexpr bool has_own_network(const rules<S>& r) {
    return r.network != namespaces::network_mode::host;
  }
  [[nodiscard]] static constexpr bool has_gateway(const backend::target& t) { return t.gateway; }
};
struct bwrap_view {
  using backend = bubblewrap::backend;
  template <class S> using rules = bubblewrap::rules<S>;
  static constexpr const auto& gap_types = bubblewrap::gap_types;
  static constexpr std::string_view connect = "bubblewrap.connect", spawn = "bubblewrap.spawn", run = "bubblewrap.run";
  template <class S> [[nodiscard]] static constexpr auto compile(const basic_policy<S>& p, const backend::target& t) {
    return bubblewrap::compile(p, t);
  }
  template <class S> [[nodiscard]] static constexpr bool has_own_network(const rules<S>& r) { return !r.share_net; }
  [[nodiscard]] static constexpr bool has_gateway(const backend::target&) { return false; }
};

/// What the rules of all members are made for.
template <class View> struct basic_target {
  int landlock_abi = landlock::highest_abi; ///< 0: none; the view alone then separates files
  seccomp::arch cpu = seccomp::arch::x86_64;
  typename View::backend::target view{};

  /// Inside the view, no process and no System V object of the host has a name. A network other than the host's is
  /// private to the run.
  [[nodiscard]] constexpr seccomp::target filter(bool own_network) const {
    return {cpu, true, true, View::has_gateway(view), own_network, false};
  }
};
using target = basic_target<own_view>;

template <class Storage_, class View = own_view> struct rules {
  using storage = Storage_;
  basic_target<View> made_for{};
  typename View::template rules<Storage_> view{};
  landlock::rules<Storage_> files{};
  seccomp::filter_spec calls{};

  template <class Rules, class F> static constexpr void each_list(Rules& r, F&& f) {
    f(r.view.mounts);
    decltype(r.files)::each_list(r.files, f);
  }
  template <class F> constexpr void each_switch(F&& f) {
    view.each_switch(f);
    for (bool* does : {&calls.spawn, &calls.network, &calls.connect, &calls.listen})
      if (*does) f([&] { *does = false; });
    if (!calls.set_id) f([&] { calls.set_id = true; });
  }
};

namespace detail {

/// The plan of each member.
template <class S, class View> struct members {
  plan<typename View::template rules<S>> view{};
  plan<landlock::rules<S>> files{};
  plan<seccomp::rules<S>> calls{};
};

template <class View, class S>
[[nodiscard]] constexpr members<S, View> members_of(const basic_policy<S>& p, const basic_target<View>& t) {
  members<S, View> all;
  all.view = View::compile(p, t.view);
  if (t.landlock_abi > 0) all.files = landlock::compile(p, {t.landlock_abi, true});
  all.calls = seccomp::compile(p, t.filter(View::has_own_network(all.view.rules)));
  return all;
}

template <std::size_t... N> [[nodiscard]] constexpr auto joined(const gap_type (&... lists)[N]) {
  std::array<gap_type, (N + ...)> all{};
  std::size_t at = 0;
  const auto add = [&](const auto& list) {
    for (const gap_type& t : list) all[at++] = t;
  };
  (add(lists), ...);
  return all;
}

/// Returns whether another member closes the gap.
template <class S, class View> [[nodiscard]] constexpr bool is_kept(const rules<S, View>& r, const gap& g) {
  if (g.what == View::connect) return !r.calls.unix_sockets || r.files.abi >= 9;
  if (g.what == View::spawn) return !r.calls.spawn;
  if (g.what == View::run) {
    // What is granted on the view's private tmpfs also reaches the mounts in it.
    const bool in_own_memory = mounts::is_in_shared_memory(g.place) ||
                               (path::covers(mounts::own_temp, g.place) &&
                                !is_visible(mounts::access_at(mounts::view(r.view.mounts), mounts::own_temp)));
    return r.files.abi > 0 && !in_own_memory && !landlock::permits(r.files, right::run, g.place, file_type::file);
  }
  // The view shows only what is granted, so it closes Landlock's unenforced gaps. It also has private shared memory and
  // terminals.
  return g.what.starts_with("landlock.") &&
         (g.kind == gap_kind::unenforced || g.what == "landlock.shared_memory" || g.what == "landlock.terminals");
}

template <class S, class View> constexpr bool add_left(const gap_list<S>& from, plan<rules<S, View>>& made) {
  bool fits = true;
  for (std::uint32_t i = 0; i < from.size(); ++i)
    if (const gap g = from[i]; !is_kept(made.rules, g)) fits = made.gaps.add(g.kind, g.what, g.place) && fits;
  return fits;
}

} // namespace detail

template <class View>
inline constexpr auto gap_types = detail::joined(View::gap_types, landlock::gap_types, seccomp::gap_types);

template <class View> struct basic_backend {
  static constexpr std::string_view name = backend_name;
  using target = basic_target<View>;
  static constexpr ability abilities[]{ability::namespaces}; ///< abilities that the rules distinguish
  static constexpr bool needs_known_calls = true; ///< the denial of a call that no architecture has is an error
  [[nodiscard]] static constexpr std::span<const gap_type> gap_types() { return on_linux::gap_types<View>; }

  /// Calls `f.template operator()<Member>(plan)` with each member's part of these rules and its own gaps. If two
  /// members refuse an operation, the combined rules do not show whether both do.
  template <class S, class F>
  static constexpr void each_member(const basic_policy<S>& p, const rules<S, View>& r, F&& f) {
    detail::members<S, View> all = detail::members_of(p, r.made_for);
    all.view.rules = r.view, all.files.rules = r.files;
    all.calls.rules.filter = seccomp::compile(r.calls);
    f.template operator()<typename View::backend>(all.view);
    if (r.files.abi > 0) f.template operator()<landlock::backend>(all.files);
    f.template operator()<seccomp::backend>(all.calls);
  }
};

struct backend : basic_backend<own_view> {
  static constexpr named_target<target> targets[]{
      {"10", {10}}, {"7", {7}}, {"1", {1}}, {"0", {0}}, {"gateway", {10, seccomp::arch::x86_64, {.gateway = true}}}};
};
struct bwrap_backend : basic_backend<bwrap_view> {
  static constexpr named_target<target> targets[]{{"10", {10}}, {"0", {0}}};
};

/// Compiles all members. O(n log n) in the grants and in the path components above paths inside writable ones.
template <class View = own_view, class S>
[[nodiscard]] constexpr plan<rules<S, View>> compile(const basic_policy<S>& p, const basic_target<View>& t) {
  plan<rules<S, View>> made;
  const auto [view, files, calls] = detail::members_of(p, t);
  made.rules = {t, view.rules, files.rules, seccomp::filter_spec_of(p, calls.rules.made_for)};
  for (const diagnostic& d : {view.error, files.error, calls.error})
    if (d.code != errc::ok) return made.error = d, made;
  if (!detail::add_left(view.gaps, made) || !detail::add_left(files.gaps, made) || !detail::add_left(calls.gaps, made))
    made.error = {errc::policy_too_large};
  return made;
}

template <class S, class View>
[[nodiscard]] constexpr bool permits(const rules<S, View>& r, right what, std::string_view place,
                                     file_type there = file_type::unknown) {
  if (what == right::connect && !r.calls.unix_sockets) return false;
  return mounts::permits(r.view, what, place, there) && landlock::permits(r.files, what, place, there);
}
template <class S, class View> [[nodiscard]] constexpr bool permits(const rules<S, View>& r, ability which) {
  return permits(r.view, which) && r.calls.lifts(which);
}
template <class S, class View> [[nodiscard]] constexpr bool permits(const rules<S, View>& r, process_feature which) {
  if (which == process_feature::spawn) return r.calls.spawn;
  return r.calls.network && permits(r.view, which);
}

template <class S, class View, class F> constexpr void each_guarded_ancestor(const rules<S, View>& r, F&& f) {
  mounts::each_guarded_ancestor(r.view, f);
}
template <class S, class View, class F> constexpr void each_place(const rules<S, View>& r, F&& f) {
  mounts::each_place(r.view, f);
  landlock::each_place(r.files, f);
}

/// Writes the rules of each member as text.
template <class S, class View, class Out> constexpr void write(const rules<S, View>& r, Out&& out) {
  write(r.view, out);
  if (r.files.abi == 0) out("Landlock: none\n");
  else out("Landlock, within the view:\n"), landlock::write(r.files, out);
  out(r.calls.strict ? "filter: strict" : "filter: baseline");
  out(r.calls.spawn ? "" : ", no new processes");
  out(r.calls.set_id ? "" : ", no set-user-ID files");
  out(!r.calls.network                    ? ", no sockets\n"
      : r.calls.connect && r.calls.listen ? ", plain sockets\n"
      : r.calls.connect                   ? ", plain sockets that do not listen\n"
                                          : ", plain sockets by the gateway\n");
}

} // namespace cordon::on_linux
