// SPDX-License-Identifier: BSL-1.0
/// The only functions that make a policy allow more. Each takes a token, so that a search for `widening::` finds every
/// widening.
#pragma once

#include "policy.hpp"

namespace cordon {

/// Tokens: an explicit statement that the caller means to allow more.
namespace widening {
struct all_axes {};
struct files {};
struct workspace {};
struct level {};
struct limits {};
} // namespace widening

/// The policy that allows everything and requires no confinement: the identity of `&`.
template <class Policy = policy> [[nodiscard]] constexpr Policy unconfined(widening::all_axes) {
  Policy p;
  p.profile = profile::unrestricted;
  p.level = level::network;
  p.fallback = fallback::off;
  p.interpreters = true;
  p.abilities = abilities::any();
  detail::each_part([&]<axis_id P>() { return p.template write_any<P>().code == errc::ok; });
  return p;
}

/// The policy that allows nothing: absorbing under `&`.
template <class Policy = policy> [[nodiscard]] constexpr Policy nothing() {
  Policy p;
  p.profile = profile::os_hardened;
  p.fallback = fallback::enforce;
  p.syscalls = syscalls::strict;
  p.limits = limits::least();
  return p;
}

namespace detail {

template <axis_id P, class S>
constexpr basic_policy<S> with_grant(const basic_policy<S>& p, std::string_view place, rights r) {
  if (!path::is_normal(place)) a_path_must_be_absolute_and_in_normal_form();
  basic_policy<S> to;
  to.plain() = p.plain();
  each_part([&]<axis_id Q>() {
    const auto all = p.template view<Q>();
    const diagnostic d = to.template write<Q>([&](auto& out) {
      if constexpr (P == Q) out.add({place, all.lookup(place) | r.bits(), {}});
      for (std::uint32_t i = 0; i < all.size(); ++i)
        if (P != Q || all.place(i) != place) out.add(all[i]);
    });
    if (d.code != errc::ok) this_policy_holds_more_than_its_storage();
    return true;
  });
  return to;
}

} // namespace detail

/// Adds rights at a path of the files axis. Paths beneath it that have a separate entry keep their rights. Stops the
/// process (or the build) if the path is not in normal form or the result does not fit its storage.
template <class S>
[[nodiscard]] constexpr basic_policy<S> widen(const basic_policy<S>& p, widening::files, std::string_view place,
                                              rights r) {
  return detail::with_grant<axis_id::files>(p, place, r);
}

/// The same on the workspace axis.
template <class S>
[[nodiscard]] constexpr basic_policy<S> widen(const basic_policy<S>& p, widening::workspace, std::string_view place,
                                              rights r) {
  return detail::with_grant<axis_id::workspace>(p, place, r);
}

template <class S> [[nodiscard]] constexpr basic_policy<S> widen(basic_policy<S> p, widening::level, level to) {
  p.level = to;
  return p;
}

template <class S>
[[nodiscard]] constexpr basic_policy<S> widen(basic_policy<S> p, widening::limits, limit which, std::uint64_t to) {
  p.limits.set(which, to);
  return p;
}

} // namespace cordon
