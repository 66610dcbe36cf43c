// SPDX-License-Identifier: BSL-1.0
/// Can a directory be a project, by its path alone? Pure: does not read the disk.
///
///   /home/u/work  ordinary       /usr/src/app  only with a mark       /usr  never
///   /var/tmp/x    ordinary       /workspace    only with a mark       /tmp  never
///
/// A mark is a repository or a project file that belongs to the caller.
#pragma once

#include "../../detail/ascii.hpp"
#include "../../policy/path.hpp"
#include "../../policy/preset.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace cordon {

/// What the path alone says about a directory as a project.
enum class project_place : std::uint8_t {
  ordinary,     ///< it may be a project
  in_system,    ///< below a system directory: needs a mark
  top_level,    ///< directly below the root directory: needs a mark
  root,         ///< the root directory: never a project
  system,       ///< a system directory: never a project
  holds_others, ///< a directory of other users' directories, such as /home: never a project
  shared,       ///< a directory in which every user creates files: never a project
};

namespace project_places_of {

using list = std::span<const std::string_view>; ///< absolute paths

/// With all directories below them. A first component that starts with `lib` counts too.
inline constexpr std::string_view unix_system[]{"/etc", "/usr",  "/bin", "/sbin", "/boot",
                                                "/dev", "/proc", "/sys", "/run",  "/var"};
/// Directories of a system, of other users' directories, and of all users.
///@{
inline constexpr std::string_view macos_system[]{"/System", "/Library", "/Applications", "/private", "/cores"};
inline constexpr std::string_view windows_system[]{"/Windows",     "/Program Files", "/Program Files (x86)",
                                                   "/ProgramData", "/$Recycle.Bin",  "/System Volume Information"};
inline constexpr std::string_view unix_holders[]{"/opt", "/srv", "/home", "/mnt", "/media", "/Users", "/Volumes"};
inline constexpr std::string_view windows_holders[]{"/Users"};
inline constexpr std::string_view unix_shared[]{"/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/private/var/tmp"};
/// Users own what is below these directories, although a system directory contains them.
inline constexpr std::string_view unix_users[]{"/var/tmp"};
inline constexpr std::string_view macos_users[]{"/var/tmp", "/private/tmp", "/private/var/tmp", "/private/var/folders"};
///@}

/// Are the bytes the same? `folded`: ignores the case of letters.
[[nodiscard]] constexpr bool same(std::string_view a, std::string_view b, bool folded) {
  return folded ? ascii::same_in_any_case(a, b) : a == b;
}

/// Is the path one of the list? `folded`: ignores the case of letters.
[[nodiscard]] constexpr bool among(list all, std::string_view place, bool folded) {
  for (const std::string_view one : all)
    if (same(one, place, folded)) return true;
  return false;
}
/// Is the path beneath one of the list? `folded`: ignores the case of letters.
[[nodiscard]] constexpr bool beneath(list all, std::string_view place, bool folded) {
  for (const std::string_view one : all)
    if (place.size() > one.size() && place[one.size()] == '/' && same(one, place.substr(0, one.size()), folded))
      return true;
  return false;
}

/// Is it a system directory itself, such as /usr or /lib64?
[[nodiscard]] constexpr bool is_system(std::string_view place, platform on, bool folded) {
  if (on == platform::windows) return among(windows_system, place, folded);
  if (on == platform::macos && among(macos_system, place, folded)) return true;
  return among(unix_system, place, folded) ||
         (path::parent(place) == "/" && place.size() > 3 && same(place.substr(0, 4), "/lib", folded));
}

/// Removes the drive of Windows: `/C:/x` becomes `/x`.
[[nodiscard]] constexpr std::string_view without_drive(std::string_view place) {
  if (place.size() < 3 || place[2] != ':') return place;
  return place.size() <= 4 ? std::string_view("/") : place.substr(3);
}

} // namespace project_places_of

/// Returns: the class of a resolved path on a system. O(n).
[[nodiscard]] constexpr project_place project_place_of(std::string_view place, platform on) {
  using namespace project_places_of;
  const bool windows = on == platform::windows, folded = windows || on == platform::macos;
  if (windows) place = without_drive(place);
  if (place == "/") return project_place::root;
  if (!windows && among(unix_shared, place, folded)) return project_place::shared;
  if (among(windows ? list(windows_holders) : list(unix_holders), place, folded)) return project_place::holds_others;
  if (is_system(place, on, folded)) return project_place::system;
  const list users = on == platform::macos ? list(macos_users) : windows ? list() : list(unix_users);
  if (beneath(users, place, folded)) return project_place::ordinary;
  if (is_system(path::next_on_the_way(place, 1), on, folded)) return project_place::in_system;
  return !windows && path::parent(place) == "/" ? project_place::top_level : project_place::ordinary;
}

/// May it be a project, with or without a mark?
[[nodiscard]] constexpr bool may_be_project(project_place p) { return p <= project_place::top_level; }
/// Does it need a mark?
[[nodiscard]] constexpr bool takes_mark(project_place p) {
  return p == project_place::in_system || p == project_place::top_level;
}

/// Why a directory is no project; the text follows its path.
[[nodiscard]] constexpr std::string_view why_no_project(project_place p) {
  switch (p) {
  case project_place::ordinary: return "";
  case project_place::in_system:
    return "lies beneath a system directory, and has neither a repository nor a project file of yours";
  case project_place::top_level:
    return "lies directly below the root directory, and has neither a repository nor a project file of yours";
  case project_place::root: return "is the root directory";
  case project_place::system: return "is a system directory";
  case project_place::holds_others: return "holds the directories of others";
  case project_place::shared: return "is a directory in which every user creates files";
  }
  return "";
}

} // namespace cordon
