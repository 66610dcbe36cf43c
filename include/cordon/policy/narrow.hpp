// SPDX-License-Identifier: BSL-1.0
/// Narrowing to a root: removes all grants outside one directory.
#pragma once

#include "policy.hpp"

namespace cordon {

/// Writes the policy, with both path axes limited to `root` and everything beneath it, to `to`. `root` is an absolute
/// path in normal form. The result is within the policy. Returns: `bad_path`, `policy_too_large`, or `not_empty` if `to`
/// is not as default-constructed. O(n).
template <class S> constexpr diagnostic narrow(const basic_policy<S>& p, std::string_view root, basic_policy<S>& to) {
  if (!path::is_normal(root)) return {diagnostic_code::bad_path, 0, 0, root};
  if (!to.is_default()) return {diagnostic_code::not_empty};
  const slot only{0, static_cast<std::uint32_t>(root.size()), no_slot, verb::everything.bits()};
  const step_function<path_tree> under(&only, 1, root.data());
  to.plain() = p.plain();
  diagnostic d;
  detail::each_part([&]<axis_id P>() {
    d = to.template write<P>([&](auto& out) {
      const auto all = p.template view<P>();
      if constexpr (P == axis_id::workspace || P == axis_id::files) out.add_meet(all, under);
      else out.add_all(all);
    });
    return d.code == diagnostic_code::ok;
  });
  return d;
}

/// The policy, with both path axes limited to `root` and everything beneath it. Returns: `bad_path` or
/// `policy_too_large`. O(n).
template <class S>
[[nodiscard]] constexpr result<basic_policy<S>> try_narrow(const basic_policy<S>& p, std::string_view root) {
  return detail::written_by<basic_policy<S>>([&](auto& to) { return narrow(p, root, to); });
}

/// The same. Stops the process (or the build) instead of returning an error.
template <class S> [[nodiscard]] constexpr basic_policy<S> narrow(const basic_policy<S>& p, std::string_view root) {
  basic_policy<S> to;
  if (!path::is_normal(root)) detail::a_path_must_be_absolute_and_in_normal_form();
  if (narrow(p, root, to).code != diagnostic_code::ok) detail::this_policy_holds_more_than_its_storage();
  return to;
}

} // namespace cordon
