// SPDX-License-Identifier: BSL-1.0
/// The three ordered scales of a policy. The profile is how strictly cordon enforces it. The level is what a program
/// may do at most. The fallback is what happens if a mechanism is missing. `meet` returns the stricter value.
#pragma once

#include "../detail/same.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace cordon {

/// Strictness of enforcement, least strict first.
enum class profile : std::uint8_t {
  unrestricted, ///< no path checks, no confinement
  worktree,     ///< path checks; confinement as far as the host supports it, every gap reported
  wasi,         ///< in a WASI runtime, never as a native program
  os_hardened,  ///< no run unless confinement has no unenforced gap
};

/// The most that a program may do, least first.
enum class level : std::uint8_t { none, read_only, workspace_write, process_exec, network };

/// What the profile worktree does if a mechanism is missing, least strict first.
enum class fallback : std::uint8_t {
  off,     ///< the run starts unconfined
  warn,    ///< the run is confined as far as possible, and the report lists the rest
  enforce, ///< the run is refused
};

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 4> profile_names{"unrestricted", "worktree", "wasi", "os_hardened"};
/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 5> level_names{"none", "read_only", "workspace_write", "process_exec",
                                                             "network"};
/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 3> fallback_names{"off", "warn", "enforce"};

/// Returns: the name of the profile, as in documents.
[[nodiscard]] constexpr std::string_view name(profile p) { return profile_names[static_cast<std::size_t>(p)]; }
/// Returns: the name of the level, as in documents.
[[nodiscard]] constexpr std::string_view name(level l) { return level_names[static_cast<std::size_t>(l)]; }
/// Returns: the name of the fallback, as in documents.
[[nodiscard]] constexpr std::string_view name(fallback f) { return fallback_names[static_cast<std::size_t>(f)]; }

// The strictest profile and fallback come last, so their `<=` would be the reverse of that of policies: use `within`.
bool operator<(profile, profile) = delete;
bool operator<=(profile, profile) = delete;
bool operator>(profile, profile) = delete;
bool operator>=(profile, profile) = delete;
bool operator<(fallback, fallback) = delete;
bool operator<=(fallback, fallback) = delete;
bool operator>(fallback, fallback) = delete;
bool operator>=(fallback, fallback) = delete;

/// Is the first at least as strict?
[[nodiscard]] constexpr bool within(profile a, profile b) { return static_cast<int>(a) >= static_cast<int>(b); }
[[nodiscard]] constexpr bool within(level a, level b) { return a <= b; } ///< Does the first allow no more?
/// Is the first at least as strict?
[[nodiscard]] constexpr bool within(fallback a, fallback b) { return static_cast<int>(a) >= static_cast<int>(b); }

[[nodiscard]] constexpr profile meet(profile a, profile b) { return within(a, b) ? a : b; }    ///< The stricter one.
[[nodiscard]] constexpr level meet(level a, level b) { return within(a, b) ? a : b; }          ///< The lower one.
[[nodiscard]] constexpr fallback meet(fallback a, fallback b) { return within(a, b) ? a : b; } ///< The stricter one.

/// Looks up an exact name in one of the name tables; false if it is unknown.
template <class Enum, std::size_t N>
[[nodiscard]] constexpr bool from_name(const std::array<std::string_view, N>& names, std::string_view text, Enum& to) {
  for (std::size_t i = 0; i < N; ++i)
    if (detail::same(names[i], text)) {
      to = static_cast<Enum>(i);
      return true;
    }
  return false;
}

} // namespace cordon
