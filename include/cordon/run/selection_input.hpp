// SPDX-License-Identifier: BSL-1.0
/// What decides how a host program is started (`select`), and the possible decisions.
#pragma once

#include "../policy/owned_text.hpp"
#include "../policy/profile.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
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

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 9> launcher_names{
    "auto", "namespaces", "landlock", "bubblewrap", "seatbelt", "appcontainer", "unveil", "container", "none"};
/// Returns: the name of the launcher, as on the command line.
[[nodiscard]] constexpr std::string_view name(launcher_id b) { return launcher_names[static_cast<std::size_t>(b)]; }

/// What a request comes to.
enum class selection : std::uint8_t { confined, unconfined_reported, refused, usage_error };

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 4> selection_names{"confined", "unconfined_reported", "refused",
                                                                 "usage_error"};
/// Returns: the name of the selection, as in reports.
[[nodiscard]] constexpr std::string_view name(selection s) { return selection_names[static_cast<std::size_t>(s)]; }

/// All input of the decision. `sandbox` and `allow` are the values of CORDON_SANDBOX and CORDON_ALLOW_NO_SANDBOX; empty
/// if not set.
struct selection_input {
  cordon::profile profile = cordon::profile::worktree;   ///< the profile of the policy
  cordon::fallback fallback = cordon::fallback::enforce; ///< the policy's
  /// The strictest one in a policy file; empty: `fallback` is a default, which a variable may loosen.
  std::optional<cordon::fallback> written_fallback{};
  std::optional<owned_text<16>> sandbox{};              ///< the content of CORDON_SANDBOX
  std::optional<owned_text<16>> allow{};                ///< the content of CORDON_ALLOW_NO_SANDBOX
  std::optional<cordon::profile> asked_profile{};       ///< for this run
  std::optional<cordon::fallback> asked_fallback{};     ///< for this run
  launcher_id backend = cordon::launcher_id::automatic; ///< the backend that the caller named
  bool available = false; ///< have the probes of that backend (for automatic: of any) observed a refusal?
};

} // namespace cordon
