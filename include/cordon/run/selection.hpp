// SPDX-License-Identifier: BSL-1.0
/// Decides how a host program is started: confined, unconfined with a report, refused, or a usage error. A pure
/// function of the policy, the environment variables and the host's abilities.
#pragma once

#include "../policy/owned_text.hpp"
#include "../policy/profile.hpp"

#include <array>
#include <optional>
#include <string_view>

namespace cordon {

/// The launchers that a caller may request by name.
enum class launcher_id : std::uint8_t {
  automatic,
  namespaces,
  landlock,
  bubblewrap,
  seatbelt,
  appcontainer,
  unveil,
  container,
  none,
};

inline constexpr std::array<std::string_view, 9> launcher_names{
    "auto", "namespaces", "landlock", "bubblewrap", "seatbelt", "appcontainer", "unveil", "container", "none"};
[[nodiscard]] constexpr std::string_view name(launcher_id b) { return launcher_names[static_cast<std::size_t>(b)]; }

enum class selection : std::uint8_t { confined, unconfined_reported, refused, usage_error };

inline constexpr std::array<std::string_view, 4> selection_names{"confined", "unconfined_reported", "refused",
                                                                 "usage_error"};

/// All input of the decision. `sandbox` and `allow` are the values of CORDON_SANDBOX and CORDON_ALLOW_NO_SANDBOX; empty
/// if not set.
struct selection_input {
  cordon::profile profile = cordon::profile::worktree;
  cordon::fallback fallback = cordon::fallback::enforce; ///< the policy's
  /// The strictest one in a policy file; empty: `fallback` is a default, which a variable may loosen.
  std::optional<cordon::fallback> written_fallback{};
  std::optional<owned_text<16>> sandbox{};
  std::optional<owned_text<16>> allow{};
  std::optional<cordon::profile> asked_profile{};   ///< for this run
  std::optional<cordon::fallback> asked_fallback{}; ///< for this run
  launcher_id backend = cordon::launcher_id::automatic;
  bool available = false; ///< have the probes of that backend (for automatic: of any) observed a refusal?
};

/// A decision and its reason, with the remedy if there is one.
struct selection_result {
  selection result = selection::refused;
  std::string_view why{};
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

[[nodiscard]] constexpr selection_result select(const selection_input& c) {
  fallback f{};
  if (!fallback_in_force(c, f)) return {selection::usage_error, "CORDON_SANDBOX must be off, warn or enforce"};
  if (c.asked_fallback && *c.asked_fallback < f)
    return {selection::usage_error, "the fallback asked for is looser than the one in force"};
  if (c.asked_profile && *c.asked_profile < c.profile)
    return {selection::usage_error, "the profile asked for is looser than the policy's"};
  const profile p = c.asked_profile.value_or(c.profile);
  f = c.asked_fallback.value_or(f);

  if (p == profile::wasi)
    return {selection::refused, "profile wasi never starts a host program; run it under a WASI runtime"};
  if (p == profile::unrestricted) return {selection::unconfined_reported, "the profile is unrestricted"};
  if (c.backend == launcher_id::none) {
    if (p == profile::os_hardened) return {selection::refused, "profile os_hardened is never run without confinement"};
    if (!detail::says_yes(c.allow))
      return {selection::refused, "--backend none needs CORDON_ALLOW_NO_SANDBOX=1 in the environment as well"};
    if (f == fallback::enforce) return {selection::refused, "fallback enforce does not allow --backend none"};
    return {selection::unconfined_reported, "--backend none was asked for"};
  }
  if (p == profile::os_hardened)
    return c.available
               ? selection_result{selection::confined}
               : selection_result{selection::refused, "profile os_hardened needs a mechanism that this host lacks; "
                                                      "cordon doctor says which, and the remedy"};
  if (f == fallback::off) return {selection::unconfined_reported, "the fallback is off"};
  if (c.available) return {selection::confined};
  if (c.backend != launcher_id::automatic)
    return {selection::refused, "the backend asked for is not available here; cordon doctor says why"};
  if (f == fallback::enforce)
    return {
        selection::refused,
        c.written_fallback == fallback::enforce
            ? "no mechanism of confinement works here as a whole, and the policy says fallback enforce; cordon doctor "
              "says why"
            : "no mechanism of confinement works here as a whole, and the fallback is enforce; cordon doctor says why, "
              "CORDON_SANDBOX=warn starts with the mechanisms that work"};
  return {selection::unconfined_reported, "no mechanism of confinement works here as a whole; cordon doctor says why",
          true};
}

} // namespace cordon
