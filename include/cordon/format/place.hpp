// SPDX-License-Identifier: BSL-1.0
/// Converts between paths of a policy and names of this system. On Windows, `C:\work` is the path /C:/work; elsewhere
/// both are the same bytes.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace cordon {

namespace detail {

inline constexpr bool has_drives = std::filesystem::path::preferred_separator == '\\';

} // namespace detail

/// The system's name of a path in normal form.
[[nodiscard]] inline std::filesystem::path path_at(std::string_view place) {
  if constexpr (!detail::has_drives) return {place};
  if (place.size() > 2 && place[2] == ':') place.remove_prefix(1);
  std::u8string name(place.begin(), place.end());
  if (name.size() == 2 && name[1] == u8':') name += u8'/';
  return std::filesystem::path(name).make_preferred();
}

/// The same as text: UTF-8 on Windows, elsewhere the same bytes.
[[nodiscard]] inline std::string name_at(std::string_view place) {
  if constexpr (!detail::has_drives) return std::string(place);
  const std::u8string name = path_at(place).u8string();
  return {name.begin(), name.end()};
}

/// The policy path of an absolute name in lexical normal form. Returns: empty if the name has no drive, as network
/// names do.
[[nodiscard]] inline std::string place_of(const std::filesystem::path& absolute) {
  if constexpr (!detail::has_drives) return absolute.string();
  const std::u8string name = absolute.generic_u8string();
  if (name.size() < 2 || name[1] != u8':') return {};
  std::string place = "/" + std::string(name.begin(), name.end());
  while (place.ends_with('/')) place.pop_back();
  return place;
}

/// Converts a text that may use the system's own syntax. On Windows, `C:\work\..` and `C:/work` become `/C:/work/..`
/// and `/C:/work`, and a backslash separates names. Elsewhere nothing changes.
[[nodiscard]] inline std::string written_place(std::string_view text) {
  std::string place(text);
  if constexpr (!detail::has_drives) return place;
  for (char& c : place)
    if (c == '\\') c = '/';
  if (place.size() > 1 && place[1] == ':') place.insert(0, 1, '/');
  return place;
}

} // namespace cordon
