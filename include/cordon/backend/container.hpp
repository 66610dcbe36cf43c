// SPDX-License-Identifier: BSL-1.0
/// Containers: a policy as the configuration of a container runtime or engine. The view is that of `namespaces`: mounts
/// over an empty image. The filter of system calls is cordon's, in the runtime's format. The process that starts the
/// container sets program, environment, timeout and output.
#pragma once

#include "../gap/plan.hpp"
#include "container/docker.hpp"
#include "container/kubernetes.hpp"
#include "container/names.hpp"
#include "container/oci.hpp"
#include "seccomp.hpp"

#include <span>

namespace cordon::container {

inline constexpr std::string_view backend_name = "container"; ///< the name on the command line, and in IDs of gaps

/// The backend as a type, for `backends`.
struct backend {
  static constexpr std::string_view name = backend_name; ///< the name of the backend
  using target = container::target;                      ///< what the rules are compiled for
  /// The types of gaps that its plans can have.
  [[nodiscard]] static constexpr std::span<const gap_type> gap_types() { return container::gap_types; }
  /// Targets whose rules differ.
  static constexpr named_target<container::target> targets[]{
      {"oci", {}}, {"docker", {form::docker, "image"}}, {"kubernetes", {form::kubernetes, "image"}}};
};

namespace detail {

/// Drops the gap `connect` if the process cannot create unix sockets: it then cannot connect to one.
template <class Gaps> struct but_connect {
  Gaps& gaps;
  bool unix_sockets;
  constexpr bool add(const gap_type& t, std::string_view place = {}) {
    return (!unix_sockets && t.id == gaps::connect.id) || gaps.add(t, place);
  }
};

template <class S> [[nodiscard]] constexpr bool connects(const basic_policy<S>& p) {
  for (std::uint32_t i = 0; i < p.files().size(); ++i)
    if (rights::from_bits(p.files()[i].value).has(right::connect)) return true;
  return false;
}

template <class S> [[nodiscard]] constexpr bool note_lists(plan<rules<S>>& made) {
  const mounts::list all = mounts::view(made.rules.mounts);
  const form f = made.rules.made_for.form;
  bool fits = true;
  for (std::uint32_t i = 0; i < all.size(); ++i)
    if (!is_visible(mounts::at(all, i).directory) && is_visible(mounts::access_around(all, i)))
      fits = made.gaps.add(gaps::mask, all.place(i)) && (f == form::oci || made.gaps.add(gaps::null, all.place(i))) &&
             fits;
  if (f != form::oci) fits = made.gaps.add(gaps::parents, "/") && fits;
  if (f != form::kubernetes) return fits;
  each_mount(
      made.rules, [](std::string_view) { return mounts::file_type::unknown; },
      [&](const planned_mount& m) {
        if (m.how == mount_method::way) fits = made.gaps.add(gaps::parents, m.place) && fits;
      });
  return fits;
}

template <class S> [[nodiscard]] constexpr bool note_network(const basic_policy<S>& p, plan<rules<S>>& made) {
  const rules<S>& r = made.rules;
  const bool listen = allows(p, process_feature::listen), port = allows(p, process_feature::any_port),
             loopback = allows(p, process_feature::loopback), machine = r.network == network_mode::host,
             pod = r.made_for.form == form::kubernetes;
  bool fits = true;
  if (machine && !(loopback && (!r.any_port || (listen && port)))) fits = made.gaps.add(gaps::host_network) && fits;
  const bool filtered = r.network != network_mode::none && !pod && !r.calls.listen;
  if (filtered && (listen || port)) fits = made.gaps.add(gaps::listen) && fits;
  if (!machine && (loopback || (!r.any_port && !filtered && (listen || port))))
    fits = made.gaps.add(gaps::private_network) && fits;
  if (r.network == network_mode::none && allows(p, process_feature::some_host))
    fits = made.gaps.add(gaps::hosts) && fits;
  return fits;
}

template <class S> [[nodiscard]] constexpr bool note_calls(const basic_policy<S>& p, plan<rules<S>>& made) {
  bool fits = true;
  const auto calls = p.calls();
  for (std::uint32_t i = 0; i < calls.size(); ++i)
    if (calls[i].value == 0 && !seccomp::is_call(calls.place(i)))
      fits = made.gaps.add(gaps::unknown_call, calls.place(i)) && fits;
  if (made.rules.made_for.form != form::kubernetes)
    return (made.rules.calls.strict || made.gaps.add(gaps::calls)) && fits;
  fits = made.gaps.add(gaps::profile) && fits;
  if (!allows(p, process_feature::spawn)) fits = made.gaps.add(gaps::spawn) && fits;
  for (const limit_row& l : limit_table)
    if (!l.by_cordon && l.which != limit::memory && p.limits.has(l.which))
      fits = made.gaps.add(gaps::limits, l.name) && fits;
  return fits;
}

} // namespace detail

namespace detail {

/// Fills the rules and the gaps of an empty plan. Returns the plan's error.
template <class S>
[[nodiscard]] constexpr diagnostic compile_to(const basic_policy<S>& p, const target& t, plan<rules<S>>& made) {
  rules<S>& r = made.rules;
  const bool pod = t.form == form::kubernetes, any = allows(p, process_feature::any_host);
  if (t.image.is_cut() || !utf8::is_text(t.image)) return {diagnostic_code::bad_path, 0, 0, "image"};
  if (pod && (t.name.is_cut() || !is_label(t.name))) return {diagnostic_code::bad_value, 0, 0, "name"};
  r.made_for = t;
  r.limits = p.limits;
  r.network = !any ? network_mode::none : t.form == form::oci ? network_mode::host : network_mode::engine;
  const bool own = !pod && r.network == network_mode::none && allows(p, process_feature::own_sockets);
  r.unix_sockets = pod || (p.level == level::network && detail::connects(p));
  r.calls =
      seccomp::filter_spec_of(p, {.cpu = t.cpu, .pid_namespace = true, .ipc_namespace = true, .own_network = own});
  r.any_port = pod ? allows(p, process_feature::any_port) : any && r.calls.listen;

  S kept{};
  if (const diagnostic d = keep_named(p.files(), t.form, kept, made.gaps); d.code != diagnostic_code::ok) return d;
  detail::but_connect<gap_list<S>> gaps{made.gaps, r.unix_sockets};
  const mounts::gap_set gaps_of{.not_readable = gaps::not_readable,
                                .partial = gaps::partial,
                                .mount_point = gaps::mount_point,
                                .private_tree = gaps::private_tree,
                                .connect = gaps::connect,
                                .run = t.form == form::oci ? nullptr : &gaps::run};
  bool fits = mounts::compile(mounts::view(kept), gaps_of, r.mounts, gaps);
  if (!r.unix_sockets && (own || detail::connects(p))) fits = made.gaps.add(gaps::sockets) && fits;
  if (!pod && !own && !r.any_port && allows(p, process_feature::own_sockets)) fits = made.gaps.add(gaps::own) && fits;
  fits = detail::note_lists(made) && fits;
  fits = detail::note_network(p, made) && fits;
  fits = detail::note_calls(p, made) && fits;
  return fits ? diagnostic{} : diagnostic{diagnostic_code::policy_too_large};
}

} // namespace detail

/// Compiles files, network, system calls and limits. O(n log n) in the grants and in the path components above paths
/// inside writable ones. Errors: `bad_path` if JSON cannot represent a path with fewer rights than the path above, or
/// the image (subject `image`), or if / is granted and the form cannot mount on it; `bad_value` if the name is invalid
/// for a Pod (subject `name`).
template <class S> [[nodiscard]] constexpr plan<rules<S>> compile(const basic_policy<S>& p, const target& t = {}) {
  plan<rules<S>> made;
  made.error = detail::compile_to(p, t, made);
  return made;
}

/// Writes the text. `look(place)` returns the type of the file at a path; each of two calls must return the same. O(n).
template <class S, class Look, class Out> constexpr void write(const rules<S>& r, Look&& look, Out&& out) {
  switch (r.made_for.form) {
  case form::oci: detail::oci_writer(r, look, out).write(); break;
  case form::docker: detail::docker_writer(r, look, out).write(); break;
  case form::kubernetes: detail::kubernetes_writer(r, look, out).write(); break;
  }
  out("\n");
}

/// The same without `look`: assumes that each path is an existing directory. If one is not, the container does not
/// start.
template <class S, class Out> constexpr void write(const rules<S>& r, Out&& out) {
  write(
      r, [](std::string_view) { return mounts::file_type::unknown; }, out);
}

} // namespace cordon::container
