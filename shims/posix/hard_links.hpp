// SPDX-License-Identifier: BSL-1.0
/// What a policy takes away by name, and a file keeps by another name (a hard link).
#pragma once

#include <cordon/policy/heap.hpp>
#include <cordon/run/reported.hpp>

#include <cstddef>
#include <vector>

namespace cordon::shim {

/// So many entries of directories are looked at before a start; what lies beyond is not known.
inline constexpr std::size_t most_entries = 20'000;
/// So many files of one directory are listed; where there are more, the directory is.
inline constexpr std::size_t most_listed = 16;

/// Adds the gap `files.second_name:PLACE` for each file that has less rights than what is granted around it, in a narrowed
/// directory too, and has a name that was not found in narrowed places: by that name it has what is granted there. Returns
/// how many entries were looked at. O(n + entries).
std::size_t append_hard_links(std::vector<reported_gap>& to, const loaded_policy& p, std::size_t most = most_entries);

} // namespace cordon::shim
