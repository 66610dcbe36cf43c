// SPDX-License-Identifier: BSL-1.0
/// Decides how a host program is started: confined, unconfined with a report, refused, or a usage error. A pure
/// function of the policy, the environment variables and the host's abilities.
#pragma once

#include "reasons.hpp"
#include "selection_input.hpp"

#include <optional>
#include <string_view>

namespace cordon {

/// A decision and its reason, which is empty if the program is confined.
struct selection_result {
  selection result = selection::refused; ///< what the request comes to
  reason why{};                          ///< why, if it is not plain confinement
  /// Not confined because a mechanism is missing: the launcher applies the mechanisms that are available.
  bool apply_available_mechanisms = false;
};

namespace detail {

/// Is the value `1`, or `true` in any case?
[[nodiscard]] constexpr bool says_yes(const std::optional<owned_text<16>>& variable) {
  if (!variable) return false;
  const std::string_view text = *variable;
  if (text == "1") return true;
  constexpr std::string_view yes = "true";
  if (text.size() != yes.size()) return false;
  for (std::size_t i = 0; i < yes.size(); ++i)
    if ((text[i] | 0x20) != yes[i]) return false;
  return true;
}

} // namespace detail

/// The fallback after the environment variables. A variable loosens a default, never the value in a policy file.
/// Returns: false for an unknown value of CORDON_SANDBOX.
[[nodiscard]] constexpr bool fallback_in_force(const selection_input& c, fallback& to) {
  to = c.fallback;
  if (c.sandbox) {
    if (!from_name(fallback_names, std::string_view(*c.sandbox), to)) return false;
  } else if (to == fallback::enforce && detail::says_yes(c.allow)) to = fallback::warn;
  if (c.written_fallback) to = meet(to, *c.written_fallback);
  return true;
}

/// The decision about `--backend none`.
[[nodiscard]] constexpr selection_result select_none(const selection_input& c, profile p, fallback f) {
  if (p == profile::os_hardened) return {selection::refused, reasons::hardened_unconfined};
  if (!detail::says_yes(c.allow)) return {selection::refused, reasons::none_not_allowed};
  if (f == fallback::enforce) return {selection::refused, reasons::none_under_enforce};
  return {selection::unconfined_reported, reasons::none_asked_for};
}

/// Confined, unconfined or refused, by the profile, the fallback and what is available.
[[nodiscard]] constexpr selection_result select(const selection_input& c) {
  fallback f{};
  if (!fallback_in_force(c, f)) return {selection::usage_error, reasons::sandbox_variable};
  if (c.asked_fallback && !within(*c.asked_fallback, f)) return {selection::usage_error, reasons::fallback_looser};
  if (c.asked_profile && !within(*c.asked_profile, c.profile)) return {selection::usage_error, reasons::profile_looser};
  const profile p = c.asked_profile.value_or(c.profile);
  f = c.asked_fallback.value_or(f);

  if (p == profile::wasi) return {selection::refused, reasons::profile_wasi};
  if (p == profile::unrestricted) return {selection::unconfined_reported, reasons::profile_unrestricted};
  if (c.backend == launcher_id::none) return select_none(c, p, f);
  if (p == profile::os_hardened)
    return c.available ? selection_result{selection::confined}
                       : selection_result{selection::refused, reasons::hardened_unavailable};
  if (f == fallback::off) return {selection::unconfined_reported, reasons::fallback_off};
  if (c.available) return {selection::confined};
  if (c.backend != launcher_id::automatic) return {selection::refused, reasons::backend_unavailable};
  if (f != fallback::enforce) return {selection::unconfined_reported, reasons::reduced, true};
  return {selection::refused, c.written_fallback == fallback::enforce ? reasons::policy_enforces : reasons::none_works};
}

} // namespace cordon
