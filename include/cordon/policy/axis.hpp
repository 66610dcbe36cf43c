// SPDX-License-Identifier: BSL-1.0
/// The axes of a policy, with the names that verdicts and violations use.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon {

/// In the order of cordon JSON.
enum class axis : std::uint8_t {
  profile,
  level,
  capabilities,
  workspace,
  files,
  hosts,
  sockets,
  abilities,
  syscalls,
  limits,
  environment,
  guard,
  fallback,
};

/// Returns: the name of the axis, as in verdicts.
[[nodiscard]] constexpr std::string_view name(axis a) {
  constexpr std::string_view names[]{"profile",     "level",   "capabilities", "workspace", "files",
                                     "hosts",       "sockets", "abilities",    "syscalls",  "limits",
                                     "environment", "guard",   "fallback"};
  return names[static_cast<std::size_t>(a)];
}

/// The step functions (parts) of a policy, in storage order. The hosts axis has two: the allowed hosts, and the denied
/// ones among them.
enum class axis_id : std::uint8_t {
  capabilities,
  workspace,
  files,
  hosts,
  denied_hosts,
  sockets,
  calls,
  environment,
  executables,
};

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 9> axis_id_names{
    "capabilities", "workspace", "files", "hosts", "denied_hosts", "sockets", "calls", "environment", "executables"};
/// Returns: the name of the part.
[[nodiscard]] constexpr std::string_view name(axis_id e) { return axis_id_names[static_cast<std::size_t>(e)]; }
inline constexpr std::size_t part_count = 9; ///< the number of parts

/// The axis that a part belongs to.
[[nodiscard]] constexpr axis axis_of(axis_id p) {
  constexpr axis axes[]{axis::capabilities, axis::workspace, axis::files,       axis::hosts, axis::hosts,
                        axis::sockets,      axis::syscalls,  axis::environment, axis::guard};
  return axes[static_cast<std::size_t>(p)];
}

} // namespace cordon
