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
  detail::each_part([&]<axis_id P>() { return p.template write_any<P>().code == diagnostic_code::ok; });
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
constexpr diagnostic add_grant(const basic_policy<S>& p, std::string_view place, rights r, basic_policy<S>& to) {
  if (!path::is_normal(place)) return {diagnostic_code::bad_path, 0, 0, place};
  to.plain() = p.plain();
  diagnostic d;
  each_part([&]<axis_id Q>() {
    const auto all = p.template view<Q>();
    d = to.template write<Q>([&](auto& out) {
      if constexpr (P == Q) out.add({place, all.lookup(place) | r.bits(), {}});
      for (std::uint32_t i = 0; i < all.size(); ++i)
        if (P != Q || all.place(i) != place) out.add(all[i]);
    });
    return d.code == diagnostic_code::ok;
  });
  return d;
}

template <axis_id P, class S>
constexpr basic_policy<S> with_grant(const basic_policy<S>& p, std::string_view place, rights r) {
  basic_policy<S> to;
  const diagnostic_code code = add_grant<P>(p, place, r, to).code;
  if (code == diagnostic_code::bad_path) a_path_must_be_absolute_and_in_normal_form();
  if (code != diagnostic_code::ok) this_policy_holds_more_than_its_storage();
  return to;
}

template <axis_id P, class S>
constexpr result<basic_policy<S>> try_with_grant(const basic_policy<S>& p, std::string_view place, rights r) {
  return written_by<basic_policy<S>>([&](auto& to) { return add_grant<P>(p, place, r, to); });
}

} // namespace detail

/// Adds rights at a path of the files axis. Paths beneath it that have a separate entry keep their rights. Stops the
/// process (or the build) if the path is not in normal form or the result does not fit its storage. O(n).
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

/// The policy with that level.
template <class S> [[nodiscard]] constexpr basic_policy<S> widen(basic_policy<S> p, widening::level, level to) {
  p.level = to;
  return p;
}

/// Stops the process (or the build) if the limit is 0.
template <class S>
[[nodiscard]] constexpr basic_policy<S> widen(basic_policy<S> p, widening::limits, limit which, std::uint64_t to) {
  p.limits.set(which, to);
  return p;
}

/// The same, without a stop. Returns: `bad_path` or `policy_too_large`; for a limit, `bad_limit`.
template <class S>
[[nodiscard]] constexpr result<basic_policy<S>> try_widen(const basic_policy<S>& p, widening::files,
                                                          std::string_view place, rights r) {
  return detail::try_with_grant<axis_id::files>(p, place, r);
}
/// The policy with that grant in the workspace, or an error.
template <class S>
[[nodiscard]] constexpr result<basic_policy<S>> try_widen(const basic_policy<S>& p, widening::workspace,
                                                          std::string_view place, rights r) {
  return detail::try_with_grant<axis_id::workspace>(p, place, r);
}
/// The policy with that limit. Returns: `bad_limit` for 0.
template <class S>
[[nodiscard]] constexpr result<basic_policy<S>> try_widen(basic_policy<S> p, widening::limits, limit which,
                                                          std::uint64_t to) {
  if (!p.limits.try_set(which, to)) return diagnostic{diagnostic_code::bad_limit, 0, 0, name(which)};
  return p;
}

} // namespace cordon
