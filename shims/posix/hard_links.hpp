// SPDX-License-Identifier: BSL-1.0
/// Finds files that lose rights by one name, and keep them by another (a hard link).
#pragma once

#include <cordon/policy/heap.hpp>
#include <cordon/run/reported.hpp>

#include <cstddef>
#include <vector>

namespace cordon::shim {

/// The most directory entries that the search examines before a start; the rest is unknown.
inline constexpr std::size_t most_entries = 20'000;
/// The most files of one directory that gaps list; if there are more, one gap names the directory.
inline constexpr std::size_t most_listed = 16;

/// Adds the gap `files.second_name:PATH` for each file that has fewer rights than those granted around it, and a name
/// outside the narrowed paths: by that name it has the rights granted there. Files in narrowed directories count too.
/// Returns: the number of entries examined. O(n + entries).
std::size_t append_hard_links(std::vector<reported_gap>& to, const loaded_policy& p, std::size_t most = most_entries);

} // namespace cordon::shim
