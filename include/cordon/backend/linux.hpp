// SPDX-License-Identifier: BSL-1.0
/// The mechanisms of Linux as one backend: a view of namespaces, made by cordon or by bwrap, with Landlock and a
/// seccomp filter inside it. Without namespaces, Landlock and the filter work alone. An operation passes only if every
/// member allows it. So a gap is unenforced only if every member leaves it, and tightened if any member has it.
#pragma once

#include "../gap/run_gap_types.hpp"
#include "bubblewrap.hpp"
#include "landlock.hpp"
#include "namespaces.hpp"
#include "seccomp.hpp"

#include <array>

namespace cordon::on_linux {

inline constexpr std::string_view backend_name = "linux"; ///< the name on the command line, and in IDs of gaps

/// Returns whether the filter closes a gap of Landlock: a process that cannot create a unix socket cannot connect to
/// one.
[[nodiscard]] constexpr bool closes(const seccomp::filter_spec& d, const gap& of_landlock) {
  return !d.connects_to_names() &&
         (of_landlock.is(landlock::gaps::connect) || of_landlock.is(landlock::gaps::abstract));
}

/// Returns the gaps of Landlock and seccomp together, without namespaces. `calls` are those of the plan whose filter `d`
/// specifies.
template <class S>
[[nodiscard]] constexpr gap_list<S> gaps_without_view(const gap_list<S>& landlock, const gap_list<S>& calls,
                                                      const basic_policy<S>& p, const seccomp::filter_spec& d) {
  gap_list<S> all;
  for (std::uint32_t i = 0; i < landlock.size(); ++i)
    if (const gap g = landlock[i]; !closes(d, g)) all.add(g);
  for (std::uint32_t i = 0; i < calls.size(); ++i) all.add(calls[i]);
  all.add(run_gaps::tree_daemons);
  if (d.network && d.connect && !allows(p, process_feature::loopback)) all.add(run_gaps::network_host_loopback);
  return all;
}

/// The backend that makes the view, and its gap types, some of which other members can close.
struct own_view {
  using backend = namespaces::backend;                                              ///< the backend of the view
  template <class S> using rules = namespaces::rules<S>;                            ///< the rules of the view
  static constexpr const auto& gap_types = namespaces::gap_types;                   ///< its gap types
  static constexpr const mounts::isolation_gaps& gaps = namespaces::isolation_gaps; ///< its gap types about isolation
  /// Compiles the view alone.
  template <class S> [[nodiscard]] static constexpr auto compile(const basic_policy<S>& p, const backend::target& t) {
    return namespaces::compile(p, t);
  }
  /// Compiles the view alone into a plan that the caller owns.
  template <class S>
  static constexpr void compile_to(const basic_policy<S>& p, const backend::target& t, plan_parts<rules<S>> made) {
    namespaces::compile_to(p, t, made);
  }
  /// Has the program a network namespace?
  template <class S> [[nodiscard]] static constexpr bool has_own_network(const rules<S>& r) {
    return r.network != namespaces::network_mode::host;
  }
  /// Does a gateway filter hosts inside that namespace?
  [[nodiscard]] static constexpr bool has_gateway(const backend::target& t) { return t.gateway; }
};
/// The view that bwrap makes, in place of cordon's own.
struct bwrap_view {
  using backend = bubblewrap::backend;                                              ///< the backend of the view
  template <class S> using rules = bubblewrap::rules<S>;                            ///< the rules of the view
  static constexpr const auto& gap_types = bubblewrap::gap_types;                   ///< its gap types
  static constexpr const mounts::isolation_gaps& gaps = bubblewrap::isolation_gaps; ///< its gap types about isolation
  /// Compiles the view alone.
  template <class S> [[nodiscard]] static constexpr auto compile(const basic_policy<S>& p, const backend::target& t) {
    return bubblewrap::compile(p, t);
  }
  /// Compiles the view alone into a plan that the caller owns.
  template <class S>
  static constexpr void compile_to(const basic_policy<S>& p, const backend::target& t, plan_parts<rules<S>> made) {
    bubblewrap::compile_to(p, t, made);
  }
  /// Has the program a network namespace?
  template <class S> [[nodiscard]] static constexpr bool has_own_network(const rules<S>& r) { return !r.share_net; }
  /// Does a gateway filter hosts inside that namespace? bwrap has none.
  [[nodiscard]] static constexpr bool has_gateway(const backend::target&) { return false; }
};

/// What the rules of all members are made for.
template <class View> struct basic_target {
  int landlock_abi = landlock::highest_abi;  ///< 0: none; the view alone then separates files
  seccomp::arch cpu = seccomp::arch::x86_64; ///< the processor that the filter is for
  typename View::backend::target view{};     ///< the target of the view
  /// In a network of the run's own, a supervisor makes connect(2) for the program, and closes the gap of the view about
  /// it: no rule says which sockets it allows.
  bool supervised = false;

  /// Does Landlock decide which unix sockets can be connected to?
  [[nodiscard]] constexpr bool judges_names() const {
    return (landlock::handled(landlock_abi) & landlock::RESOLVE_UNIX) != 0;
  }
  /// Inside the view, no process and no System V object of the host has a name. A network other than the host's is
  /// private to the run.
  [[nodiscard]] constexpr seccomp::target filter(bool own_network) const {
    return {.cpu = cpu,
            .pid_namespace = true,
            .ipc_namespace = true,
            .gateway = View::has_gateway(view),
            .own_network = own_network,
            .judges_names = judges_names() || (supervised && own_network),
            .set_id = false};
  }
};
using target = basic_target<own_view>; ///< what the rules of Linux are compiled for

/// The rules of all three mechanisms that are in force together.
template <class Storage_, class View = own_view> struct rules {
  using storage = Storage_;                       ///< what holds the lists
  basic_target<View> made_for{};                  ///< the target that the rules are compiled for
  typename View::template rules<Storage_> view{}; ///< the mounts and namespaces
  landlock::rules<Storage_> files{};              ///< the Landlock ruleset
  seccomp::filter_spec calls{};                   ///< what the filter must do

  /// Calls `f(list)` for each list of the rules, so that a proof can drop an entry.
  template <class Rules, class F> static constexpr void each_list(Rules& r, F&& f) {
    f(r.view.mounts);
    decltype(r.files)::each_list(r.files, f);
  }
  /// Calls `f(loosen)` for each rule that is no list. `loosen()` drops that rule: a proof must notice.
  template <class F> constexpr void each_switch(F&& f) {
    view.each_switch(f);
    for (bool* does : {&calls.spawn, &calls.network, &calls.connect, &calls.listen, &calls.own})
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

/// The filter's target inside that view.
template <class View, class Rules>
[[nodiscard]] constexpr seccomp::target filter_for(const basic_target<View>& t, const Rules& view) {
  return t.filter(View::has_own_network(view));
}

template <class View, class S>
[[nodiscard]] constexpr members<S, View> members_of(const basic_policy<S>& p, const basic_target<View>& t) {
  members<S, View> all;
  all.view = View::compile(p, t.view);
  if (t.landlock_abi > 0) all.files = landlock::compile(p, {t.landlock_abi, true});
  all.calls = seccomp::compile(p, filter_for(t, all.view.rules));
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

/// Returns whether Landlock or the filter closes a gap of the view.
template <class S, class View> [[nodiscard]] constexpr bool closes_gap_of_view(const rules<S, View>& r, const gap& g) {
  constexpr const mounts::isolation_gaps& of_view = View::gaps;
  if (g.is(of_view.view.connect)) return !r.calls.connects_to_names() || r.made_for.judges_names();
  if (g.is(of_view.spawn)) return !r.calls.spawn;
  if (g.is(of_view.own)) return !r.calls.own;
  if (of_view.view.run == nullptr || !g.is(*of_view.view.run)) return false;
  // What is granted on the view's private tmpfs also reaches the mounts in it.
  const bool in_own_memory = mounts::is_in_own_memory(mounts::view(r.view.mounts), g.place);
  return r.files.abi > 0 && !in_own_memory && !landlock::permits(r.files, right::run, g.place, file_type::file);
}

/// Returns whether the view closes a gap of Landlock. It shows only what is granted, and has private shared memory and
/// terminals.
[[nodiscard]] constexpr bool closes_gap_of_landlock(const gap& g) {
  return g.kind == gap_kind::unenforced || g.is(landlock::gaps::shared_memory) || g.is(landlock::gaps::terminals);
}

/// Returns whether a gap of the filter says more: without unix sockets there are none to connect.
[[nodiscard]] constexpr bool is_stated_by_filter(const seccomp::filter_spec& d, const gap& g) {
  return g.is(landlock::gaps::outside) && !d.connects_to_names();
}

/// Adds the gaps of view and files that no other member closes. Returns false if the storage is full.
template <class S, class View>
[[nodiscard]] constexpr bool add_left(const gap_list<S>& view, const gap_list<S>& files, plan<rules<S, View>>& made) {
  bool fits = true;
  for (std::uint32_t i = 0; i < view.size(); ++i)
    if (const gap g = view[i]; !closes_gap_of_view(made.rules, g)) fits = made.gaps.add(g) && fits;
  for (std::uint32_t i = 0; i < files.size(); ++i)
    if (const gap g = files[i]; !closes_gap_of_landlock(g) && !is_stated_by_filter(made.rules.calls, g))
      fits = made.gaps.add(g) && fits;
  return fits;
}

} // namespace detail

/// The gap types of all three mechanisms.
template <class View>
inline constexpr auto gap_types = detail::joined(View::gap_types, landlock::gap_types, seccomp::gap_types);

/// What the two backends of Linux have in common.
template <class View> struct basic_backend {
  static constexpr std::string_view name = backend_name;     ///< the name of the backend
  using target = basic_target<View>;                         ///< what the rules are compiled for
  static constexpr ability abilities[]{ability::namespaces}; ///< abilities that the rules distinguish
  static constexpr bool needs_known_calls = true; ///< the denial of a call that no architecture has is an error
  /// The types of gaps that its plans can have.
  [[nodiscard]] static constexpr std::span<const gap_type> gap_types() { return on_linux::gap_types<View>; }

  /// Calls `f.template operator()<Member>(plan)` with each member's part of these rules and its own gaps. If two
  /// members refuse an operation, the combined rules do not show whether both do.
  template <class S, class F>
  static constexpr void each_member(const basic_policy<S>& p, const rules<S, View>& r, F&& f) {
    detail::members<S, View> all = detail::members_of(p, r.made_for);
    all.view.rules = r.view;
    all.files.rules = r.files;
    all.calls.rules.filter = seccomp::compile(r.calls);
    f.template operator()<typename View::backend>(all.view);
    if (r.files.abi > 0) f.template operator()<landlock::backend>(all.files);
    f.template operator()<seccomp::backend>(all.calls);
  }
};

/// Namespaces made by cordon, Landlock and seccomp.
struct backend : basic_backend<own_view> {
  /// The ABIs whose rules differ; on the command line, `--target`.
  static constexpr named_target<target> targets[]{
      {landlock::highest_abi_name, {}}, {"7", {7}}, {"1", {1}}, {"0", {0}}, {"gateway", {.view = {.gateway = true}}}};
};
/// Namespaces made by bwrap, Landlock and seccomp.
struct bwrap_backend : basic_backend<bwrap_view> {
  /// Targets whose rules differ.
  static constexpr named_target<target> targets[]{{landlock::highest_abi_name, {}}, {"0", {0}}};
};

/// Compiles all members. O(n log n) in the grants and in the path components above paths inside writable ones.
template <class View = own_view, class S>
[[nodiscard]] constexpr plan<rules<S, View>> compile(const basic_policy<S>& p, const basic_target<View>& t = {}) {
  plan<rules<S, View>> made;
  made.rules.made_for = t;
  gap_list<S> view, files;
  std::array<diagnostic, 3> errors{};
  View::compile_to(p, t.view, {made.rules.view, view, errors[0]});
  if (t.landlock_abi > 0) landlock::compile_to(p, {t.landlock_abi, true}, {made.rules.files, files, errors[1]});
  const seccomp::target filter = detail::filter_for(t, made.rules.view);
  made.rules.calls = seccomp::filter_spec_of(p, filter);
  if (const std::string_view unknown = seccomp::unknown_call(p); !unknown.empty())
    errors[2] = {diagnostic_code::bad_value, 0, 0, unknown};
  for (const diagnostic& d : errors)
    if (d.code != diagnostic_code::ok) {
      made.error = d;
      return made;
    }
  const bool fits = detail::add_left(view, files, made);
  if (!seccomp::note_gaps(p, filter, made.rules.calls, made.gaps) || !fits)
    made.error = {diagnostic_code::policy_too_large};
  return made;
}

/// May a process under the rules do this there? All mechanisms must permit it.
template <class S, class View>
[[nodiscard]] constexpr bool permits(const rules<S, View>& r, right what, std::string_view place,
                                     file_type there = file_type::unknown) {
  if (what == right::connect && !r.calls.connects_to_names()) return false;
  return mounts::permits(r.view, what, place, there) && landlock::permits(r.files, what, place, there);
}
/// May a process under the rules use the ability? All mechanisms must permit it.
template <class S, class View> [[nodiscard]] constexpr bool permits(const rules<S, View>& r, ability which) {
  return permits(r.view, which) && r.calls.lifts(which);
}
/// May a process under the rules do this? All mechanisms must permit it.
template <class S, class View> [[nodiscard]] constexpr bool permits(const rules<S, View>& r, process_feature which) {
  if (which == process_feature::spawn) return r.calls.spawn;
  if (which == process_feature::own_sockets)
    return r.calls.own || (r.calls.listen && permits(r, process_feature::any_port));
  return r.calls.network && permits(r.view, which);
}

/// Calls `f(place)` for directories whose removal would move a restriction. O(n + path components).
template <class S, class View, class F> constexpr void each_guarded_ancestor(const rules<S, View>& r, F&& f) {
  mounts::each_guarded_ancestor(r.view, f);
}
/// Calls `f(place)` for each path that a rule names. O(n).
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
      : r.calls.own                       ? ", sockets of the run's own\n"
      : r.calls.connect && r.calls.listen ? ", plain sockets\n"
      : r.calls.connect                   ? ", plain sockets that do not listen\n"
                                          : ", plain sockets by the gateway\n");
  if (r.calls.unix_streams)
    out(r.made_for.judges_names() ? "filter: unix sockets but datagrams; Landlock judges what they connect to\n"
                                  : "filter: unix sockets but datagrams; a supervisor connects them\n");
}

} // namespace cordon::on_linux
