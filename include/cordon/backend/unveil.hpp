// SPDX-License-Identifier: BSL-1.0
/// unveil and pledge: a policy as the two system calls with which OpenBSD confines a process.
///
/// unveil gives paths four permissions; the most specific path decides, and "" hides. The kernel remembers paths as
/// vnodes, so renaming a file does not change its permissions. pledge allows groups of system calls for all paths at
/// once. If rights share a permission, a path gets it only if it has them all, whatever other paths have: a stricter
/// policy never permits more.
#pragma once

#include "../gap/plan.hpp"
#include "unveil/gap_types.hpp"
#include "unveil/rules.hpp"
#include "unveil/write.hpp"

#include <span>

namespace cordon::unveil {

inline constexpr std::string_view backend_name = "unveil"; ///< the name on the command line, and in IDs of gaps

namespace detail {

/// A permission and the rights that it gives.
struct shared {
  permission letter;
  rights all;
  const gap_type& partial; ///< for a path that has only some of them
};
inline constexpr shared shared_rights[]{{R, right::read | right::list, gaps::read_with_list},
                                        {W, right::write | right::attributes, gaps::write_with_attributes},
                                        {C, right::create | right::remove, gaps::create_with_remove}};

[[nodiscard]] constexpr std::uint32_t permissions_of(rights r) {
  std::uint32_t bits = r.has(right::run) ? std::uint32_t{X} : 0U;
  for (const shared& s : shared_rights)
    if (s.all <= r) bits |= s.letter;
  return bits;
}

/// Returns the promises that these permissions require.
[[nodiscard]] constexpr std::uint32_t promises_of(std::uint32_t permissions) {
  return ((permissions & R) != 0 ? RPATH : 0U) | ((permissions & W) != 0 ? WPATH | FATTR : 0U) |
         ((permissions & C) != 0 ? CPATH : 0U);
}

/// Compiles spawn and the network; false if the storage is full.
template <class S> [[nodiscard]] constexpr bool write_facilities(const basic_policy<S>& p, plan<rules<S>>& to) {
  std::uint32_t& promises = to.rules.promises;
  const bool all_of_net = allows(p, process_feature::any_host), some = allows(p, process_feature::some_host);
  const bool port = allows(p, process_feature::listen), any_port = allows(p, process_feature::any_port);
  const bool loopback = allows(p, process_feature::loopback);
  if (allows(p, process_feature::spawn)) promises |= PROC;
  if (allows(p, process_feature::own_sockets) && !to.gaps.add(gaps::own)) return false;
  if (all_of_net) promises |= INET;
  if (!all_of_net && some && !to.gaps.add(gaps::hosts)) return false;
  if (!all_of_net && (port || any_port || loopback) && !to.gaps.add(gaps::sockets)) return false;
  return !all_of_net || (port && any_port && loopback) || to.gaps.add(gaps::network);
}

} // namespace detail

/// Compiles files, spawn, hosts and sockets. `policy_too_large`: more paths than the kernel accepts. O(n log n) in the
/// entries.
template <class S> [[nodiscard]] constexpr plan<rules<S>> compile(const basic_policy<S>& p, const target& t = {}) {
  plan<rules<S>> made;
  const auto files = p.files();
  step_function_builder<path_tree, S> places(made.rules.places);
  bool fits = true, connects = false, only_read = false, written = false;
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    const rights r = rights::from_bits(files[i].value);
    const std::uint32_t permissions = detail::permissions_of(r);
    places.add({files.place(i), permissions, {}});
    made.rules.promises |= detail::promises_of(permissions);
    for (const detail::shared& s : detail::shared_rights)
      if (!(r & s.all).empty() && !(s.all <= r)) fits = made.gaps.add(s.partial, files.place(i)) && fits;
    connects = connects || r.has(right::connect);
    only_read = only_read || (permissions & (R | W)) == R;
    written = written || (permissions & (W | C)) == (W | C);
  }
  // "unix" allows to connect at every writable path, so it is granted only if the policy allows that at every path.
  if (p.template is_any<axis_id::files>()) made.rules.promises |= UNIX;
  else if (connects) fits = made.gaps.add(gaps::connect) && fits;
  if (only_read && written) fits = made.gaps.add(gaps::links) && fits;
  for (const std::string_view file : account_files)
    if (!rights::from_bits(files.lookup(file)).has(right::read)) fits = made.gaps.add(gaps::accounts, file) && fits;
  const bool facilities_fit = detail::write_facilities(p, made);
  if (places.close().code != diagnostic_code::ok || !fits || !facilities_fit ||
      made.rules.places.size() + std::size(default_places) > t.most_places)
    made.error = {diagnostic_code::policy_too_large};
  return made;
}

/// The backend as a type, for `backends`.
struct backend {
  static constexpr std::string_view name = backend_name; ///< the name of the backend
  using target = unveil::target;                         ///< what the rules are compiled for
  /// The types of gaps that its plans can have.
  [[nodiscard]] static constexpr std::span<const gap_type> gap_types() { return unveil::gap_types; }
  static constexpr named_target<unveil::target> targets[]{{"openbsd", {}}}; ///< targets whose rules differ
};

} // namespace cordon::unveil
