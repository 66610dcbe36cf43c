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

inline constexpr std::string_view backend_name = "container";

struct backend {
  static constexpr std::string_view name = backend_name;
  using target = container::target;
  [[nodiscard]] static constexpr std::span<const gap_type> gap_types() { return container::gap_types; }
  static constexpr named_target<container::target> targets[]{
      {"oci", {}}, {"docker", {form::docker, "image"}}, {"kubernetes", {form::kubernetes, "image"}}};
};

namespace detail {

/// Drops the gap `connect` if the process cannot create unix sockets: it then cannot connect to one.
template <class Gaps> struct but_connect {
  Gaps& gaps;
  bool unix_sockets;
  constexpr bool add(const gap_type& t, std::string_view place = {}) {
    return (!unix_sockets && t.id == gap_types_of::connect.id) || gaps.add(t, place);
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
      fits = made.gaps.add(gap_types_of::mask, all.place(i)) &&
             (f == form::oci || made.gaps.add(gap_types_of::null, all.place(i))) && fits;
  if (f != form::oci) fits = made.gaps.add(gap_types_of::way, "/") && fits;
  if (f != form::kubernetes) return fits;
  each_mount(
      made.rules, [](std::string_view) { return mounts::file_type::unknown; },
      [&](const planned_mount& m) {
        if (m.how == mount_method::way) fits = made.gaps.add(gap_types_of::way, m.place) && fits;
      });
  return fits;
}

template <class S> [[nodiscard]] constexpr bool note_network(const basic_policy<S>& p, plan<rules<S>>& made) {
  const rules<S>& r = made.rules;
  const bool listen = allows(p, process_feature::listen), port = allows(p, process_feature::any_port),
             loopback = allows(p, process_feature::loopback), machine = r.network == network_mode::host;
  bool fits = true;
  if (machine && !(listen && port && loopback)) fits = made.gaps.add(gap_types_of::machine) && fits;
  if (!machine && r.any_port && !port) fits = made.gaps.add(gap_types_of::ports) && fits;
  if (!machine && (loopback || (!r.any_port && (listen || port)))) fits = made.gaps.add(gap_types_of::inside) && fits;
  if (r.network == network_mode::none && allows(p, process_feature::some_host))
    fits = made.gaps.add(gap_types_of::hosts) && fits;
  return fits;
}

template <class S> [[nodiscard]] constexpr bool note_calls(const basic_policy<S>& p, plan<rules<S>>& made) {
  bool fits = true;
  const auto calls = p.calls();
  for (std::uint32_t i = 0; i < calls.size(); ++i)
    if (calls[i].value == 0 && !seccomp::is_call(calls.place(i)))
      fits = made.gaps.add(gap_types_of::unknown_call, calls.place(i)) && fits;
  if (made.rules.made_for.form != form::kubernetes)
    return (made.rules.calls.strict || made.gaps.add(gap_types_of::calls)) && fits;
  fits = made.gaps.add(gap_types_of::profile) && fits;
  if (!allows(p, process_feature::spawn)) fits = made.gaps.add(gap_types_of::spawn) && fits;
  for (const limit l : {limit::cpu, limit::processes, limit::open_files, limit::file_size})
    if (p.limits.has(l)) fits = made.gaps.add(gap_types_of::limits, name(l)) && fits;
  return fits;
}

} // namespace detail

/// Compiles files, network, system calls and limits. O(n log n) in the grants and in the path components above paths
/// inside writable ones. Errors: `bad_path` if JSON cannot represent a path with fewer rights than the path above, or
/// the image (subject `image`), or if / is granted and the form cannot mount on it; `bad_value` if the name is invalid
/// for a Pod (subject `name`).
template <class S> [[nodiscard]] constexpr plan<rules<S>> compile(const basic_policy<S>& p, const target& t) {
  plan<rules<S>> made;
  rules<S>& r = made.rules;
  const bool pod = t.form == form::kubernetes, any = allows(p, process_feature::any_host);
  const auto failed = [&](diagnostic d) { return made.error = d, made; };
  if (t.image.is_cut() || !utf8::is_text(t.image)) return failed({errc::bad_path, 0, 0, "image"});
  if (pod && (t.name.is_cut() || !is_label(t.name))) return failed({errc::bad_value, 0, 0, "name"});
  r.made_for = t;
  r.limits = p.limits;
  r.network = !any ? network_mode::none : t.form == form::oci ? network_mode::host : network_mode::engine;
  r.any_port = pod ? allows(p, process_feature::any_port) : any;
  r.unix_sockets = pod || (p.level == level::network && detail::connects(p));
  r.calls = seccomp::filter_spec_of(p, {t.cpu, true, true});

  S kept{};
  if (const diagnostic d = keep_named(p.files(), t.form, kept, made.gaps); d.code != errc::ok) return failed(d);
  detail::but_connect<gap_list<S>> gaps{made.gaps, r.unix_sockets};
  const gap_type* const run = t.form == form::oci ? nullptr : &gap_types_of::run;
  bool fits = mounts::compile(mounts::view(kept),
                              {gap_types_of::not_readable, gap_types_of::partial, gap_types_of::mount_point,
                               gap_types_of::private_tree, gap_types_of::connect, run},
                              r.mounts, gaps);
  if (!r.unix_sockets && detail::connects(p)) fits = made.gaps.add(gap_types_of::sockets) && fits;
  fits = detail::note_lists(made) && fits;
  fits = detail::note_network(p, made) && fits;
  fits = detail::note_calls(p, made) && fits;
  return fits ? made : failed({errc::policy_too_large});
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
