// SPDX-License-Identifier: BSL-1.0
/// The settings of a project that a run protects, and a policy with that protection.
#pragma once

#include "../../policy/heap.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

/// What takes the path of a setting that does not exist while a run lives, so that the program cannot create it. git
/// lists no empty directories.
enum class placeholder : std::uint8_t {
  none,      ///< nothing: the missing file has no effect
  directory, ///< an empty directory
  file,      ///< an empty file, where programs fail at a directory
  here,      ///< a file with the line `.`, which names its own directory
};
/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 4> placeholder_names{"none", "directory", "file", "here"};
/// Returns: the name of the enumerator, as in records.
[[nodiscard]] constexpr std::string_view name(placeholder p) { return placeholder_names[static_cast<std::size_t>(p)]; }

/// A file or directory that a program may read and execute, but not change.
struct project_setting {
  std::string place;                       ///< resolved
  placeholder missing = placeholder::none; ///< what takes its path if it does not exist
};

/// The settings of a project.
struct project_settings {
  std::string root{};                    ///< of the project; empty: there are no settings
  std::vector<project_setting> places{}; ///< in the order of `path::order`, none inside another
  /// Settings that no rule can protect: symbolic links, which a program could replace, and those of repositories beyond
  /// the first 32.
  std::vector<std::string> open{};
};

inline namespace abi_0 {

/// The policy, in which the settings can be read and executed at most. Their paths must be resolved, as `find_settings`
/// returns them. O(n + m).
[[nodiscard]] loaded_policy with_protected(const loaded_policy& p, const std::vector<project_setting>& settings);

/// Takes all rights away at and below a resolved path if the policy lets processes change anything there: for what no
/// run may write whatever its policy says. A policy without limits on files stays so. O(n).
void hide_from_programs(loaded_policy& p, const std::string& place);

} // namespace abi_0

} // namespace cordon
