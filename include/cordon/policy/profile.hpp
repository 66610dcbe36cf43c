// SPDX-License-Identifier: BSL-1.0
/// The three ladders of a policy: how strictly it is enforced (profile), how much may happen at all (level), and what
/// happens where a mechanism is missing (fallback). Each is a chain; `meet` is the stricter end.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace cordon {

/// Strictness of enforcement, least strict first.
enum class profile : std::uint8_t {
  unrestricted, ///< no path checks, no confinement
  worktree,     ///< path checks; confinement as far as the host goes, every gap reported
  wasi,         ///< by a WASI runtime; a host program is never started
  os_hardened,  ///< confinement without an unenforced gap, or no run
};

/// What a program may do at most, least first.
enum class level : std::uint8_t { none, read_only, workspace_write, process_exec, network };

/// What worktree does where a mechanism is missing, least strict first.
enum class fallback : std::uint8_t {
  off,     ///< not confined
  warn,    ///< confined as far as possible, the rest is reported
  enforce, ///< refused
};

inline constexpr std::array<std::string_view, 4> profile_names{"unrestricted", "worktree", "wasi", "os_hardened"};
inline constexpr std::array<std::string_view, 5> level_names{"none", "read_only", "workspace_write", "process_exec",
                                                             "network"};
inline constexpr std::array<std::string_view, 3> fallback_names{"off", "warn", "enforce"};

[[nodiscard]] constexpr std::string_view name(profile p) { return profile_names[static_cast<std::size_t>(p)]; }
[[nodiscard]] constexpr std::string_view name(level l) { return level_names[static_cast<std::size_t>(l)]; }
[[nodiscard]] constexpr std::string_view name(fallback f) { return fallback_names[static_cast<std::size_t>(f)]; }

[[nodiscard]] constexpr profile meet(profile a, profile b) { return a < b ? b : a; }
[[nodiscard]] constexpr level meet(level a, level b) { return a < b ? a : b; }
[[nodiscard]] constexpr fallback meet(fallback a, fallback b) { return a < b ? b : a; }

[[nodiscard]] constexpr bool within(profile a, profile b) { return a >= b; }
[[nodiscard]] constexpr bool within(level a, level b) { return a <= b; }
[[nodiscard]] constexpr bool within(fallback a, fallback b) { return a >= b; }

/// The value with that name in one of the name tables; false if there is none. Names are exact.
template <class Enum, std::size_t N>
[[nodiscard]] constexpr bool from_name(const std::array<std::string_view, N>& names, std::string_view text, Enum& to) {
  for (std::size_t i = 0; i < N; ++i)
    if (names[i] == text) return to = static_cast<Enum>(i), true;
  return false;
}

} // namespace cordon
