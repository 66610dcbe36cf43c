// SPDX-License-Identifier: BSL-1.0
/// The directories that the caller's runs could write. A program of such a run may have put anything there: a link at a
/// name that a later policy grants, or a project file. Marks inside a directory cannot say so, since the program can
/// change them. So cordon keeps a list in the user's state directory, which no run under a policy that limits files can write:
///
///     cordon-roots 1
///     2049 131090 project /home/u/app        device, inode, how it became writable, path
///     2049 131207 granted /srv/data
#pragma once

#include "../../policy/path.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace cordon {

/// Identifies a directory whatever its path. Zeros: unknown.
struct directory_identity {
  std::uint64_t device = 0; ///< the file system
  std::uint64_t inode = 0;  ///< the directory in it

  friend bool operator==(const directory_identity&, const directory_identity&) = default; ///< Compares every member.
};

/// Why a run could write a directory.
enum class root_use : std::uint8_t {
  project, ///< cordon found it as the project of the run
  named,   ///< the caller named it as the workspace
  granted, ///< a policy grants it
};
/// Names of the enumerators, by value, as in the list.
inline constexpr std::array<std::string_view, 3> root_use_names{"project", "named", "granted"};

/// A directory that a run could write.
struct written_root {
  std::string place;                ///< without links, at the time of the run
  directory_identity identity;      ///< at the time of the run
  root_use use = root_use::granted; ///< why the run could write it

  friend bool operator==(const written_root&, const written_root&) = default; ///< Compares every member.
};

/// What is known of the directories that runs could write.
struct written_roots {
  bool known = false;            ///< false: there is no list, so every directory may be one
  std::vector<written_root> all; ///< the oldest first
  /// Returns the identity of the directory that is at a path now. Null: directories are compared by path alone.
  directory_identity (*identify)(const std::string& directory) = nullptr;
};

namespace detail {

inline constexpr std::string_view list_of_roots = "cordon-roots 1\n";
/// A list of this size loses the directories that are no longer at their path. If it is still as long, it is not read:
/// every directory may then be one.
inline constexpr std::size_t longest_list_of_roots = std::size_t{64} << 10;

/// A line of the list. `\n` and `\\` take the places of line ends and backslashes in the path.
[[nodiscard]] inline std::string line_of(const written_root& root) {
  std::string line = std::to_string(root.identity.device) + " " + std::to_string(root.identity.inode) + " " +
                     std::string(root_use_names[static_cast<std::size_t>(root.use)]) + " ";
  for (const char c : root.place) {
    if (c == '\n') line += "\\n";
    else if (c == '\\') line += "\\\\";
    else line += c;
  }
  return line + "\n";
}

/// Reads a line without its end. Returns: false if it is invalid.
[[nodiscard]] inline bool read_root(std::string_view line, written_root& to) {
  for (std::uint64_t* number : {&to.identity.device, &to.identity.inode}) {
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), *number);
    if (error != std::errc() || end == line.data() + line.size() || *end != ' ') return false;
    line.remove_prefix(static_cast<std::size_t>(end - line.data()) + 1);
  }
  const std::size_t space = line.find(' ');
  const auto use = std::find(root_use_names.begin(), root_use_names.end(), line.substr(0, space));
  if (space == line.npos || use == root_use_names.end()) return false;
  to.use = static_cast<root_use>(use - root_use_names.begin());
  to.place.clear();
  for (std::size_t i = space + 1; i < line.size(); ++i) {
    if (line[i] != '\\') to.place += line[i];
    else if (++i < line.size()) to.place += line[i] == 'n' ? '\n' : line[i];
  }
  return path::is_normal(to.place);
}

/// Reads the list. An invalid text gives an unknown list.
[[nodiscard]] inline written_roots read_roots(std::string_view text) {
  written_roots to;
  if (!text.starts_with(list_of_roots) || text.size() >= longest_list_of_roots) return to;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    written_root root;
    // Two first runs at once may both have begun the list.
    const bool is_head = end != text.npos && text.substr(0, end + 1) == list_of_roots;
    if (!is_head && (end == text.npos || !read_root(line, root))) return {};
    if (!is_head) to.all.push_back(std::move(root));
    text.remove_prefix(end + 1);
  }
  to.known = true;
  return to;
}

/// The deepest listed directory that contains a path, by its path or by the identity of what is there now; null: none.
/// O(listed directories times components).
[[nodiscard]] inline const written_root* root_around(const written_roots& roots, std::string_view place) {
  for (std::string_view at = place;; at = path::parent(at)) {
    const directory_identity now =
        roots.identify == nullptr || roots.all.empty() ? directory_identity() : roots.identify(std::string(at));
    for (const written_root& root : roots.all)
      if (root.place == at || (now != directory_identity() && root.identity == now)) return &root;
    if (at == "/") return nullptr;
  }
}

/// The project that an earlier run found for a directory below `found`, the one that is found now. Null if there is
/// none, or if the caller has since named a directory around it. A program may have removed the mark of such a project,
/// so that a run would get the directory around it.
[[nodiscard]] inline const written_root* earlier_project(const written_roots& roots, std::string_view found,
                                                         std::string_view directory) {
  const written_root* deepest = nullptr;
  for (const written_root& root : roots.all) {
    if (root.use == root_use::named && deepest != nullptr && path::covers(root.place, deepest->place) &&
        root.place != deepest->place)
      deepest = nullptr;
    if (root.use != root_use::project || root.place == found || !path::covers(found, root.place) ||
        !path::covers(root.place, directory))
      continue;
    if (deepest == nullptr || root.place.size() >= deepest->place.size()) deepest = &root;
  }
  return deepest;
}

} // namespace detail

} // namespace cordon
