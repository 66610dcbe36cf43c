// SPDX-License-Identifier: BSL-1.0
/// Names of paths on Windows. The path `/C:/work` is `C:\work`, and `/` is the parent of all drives. If the target has
/// one drive for all paths, `/work` is on that drive. Names that differ only in the case of ASCII letters are the same
/// path, as in NTFS. A name that Win32 reads as another name is invalid.
#pragma once

#include "../../detail/ascii.hpp"
#include "../../detail/utf8.hpp"
#include "../../policy/policy.hpp"

namespace cordon::appcontainer {

namespace detail {

/// CON, COM1 and similar names are devices in every directory, also with an extension.
[[nodiscard]] constexpr bool is_device(std::string_view name) {
  std::string_view stem = name.substr(0, name.find('.'));
  while (!stem.empty() && stem.back() == ' ') stem.remove_suffix(1);
  for (const std::string_view d : {"con", "prn", "aux", "nul", "conin$", "conout$"})
    if (ascii::same_in_any_case(stem, d)) return true;
  if (stem.size() < 4 ||
      !(ascii::same_in_any_case(stem.substr(0, 3), "com") || ascii::same_in_any_case(stem.substr(0, 3), "lpt")))
    return false;
  const std::string_view number = stem.substr(3);
  return (number.size() == 1 && ascii::is_digit(number[0])) || number == "\xC2\xB9" || number == "\xC2\xB2" ||
         number == "\xC2\xB3";
}

/// Returns whether the name could be the short form of a longer one (`PROGRA~1`).
[[nodiscard]] constexpr bool is_short_form(std::string_view name) {
  const std::size_t dot = name.find('.'), wave = name.find('~');
  if (wave == name.npos || wave == 0 || (dot != name.npos && wave > dot)) return false;
  const std::size_t stem = dot == name.npos ? name.size() : dot;
  if (stem > 8 || (dot != name.npos && name.size() - dot > 4) || wave + 1 == stem) return false;
  for (std::size_t i = wave + 1; i < stem; ++i)
    if (!ascii::is_digit(name[i])) return false;
  return true;
}

[[nodiscard]] constexpr bool is_component(std::string_view name) {
  if (name.size() > 255 || name.back() == '.' || name.back() == ' ' || is_device(name) || is_short_form(name))
    return false;
  for (std::size_t i = 0; i < name.size();) {
    const char c = name[i];
    if (static_cast<unsigned char>(c) < 0x20 || std::string_view("<>:\"|?*\\").find(c) != std::string_view::npos)
      return false;
    const std::size_t n = utf8::character_size(name.substr(i));
    if (n == 0) return false;
    i += n;
  }
  return true;
}

} // namespace detail

/// Returns whether the path has a Windows name that refers to no other path. `drive` is the one drive of all paths, or
/// 0.
[[nodiscard]] constexpr bool is_name(std::string_view place, char drive) {
  if (place == "/") return true;
  std::size_t i = 1;
  if (drive == 0) {
    const bool letter = place.size() > 2 && ascii::is_upper(place[1]) && place[2] == ':';
    if (!letter || (place.size() > 3 && place[3] != '/')) return false;
    i = 4;
  }
  while (i < place.size()) {
    std::size_t end = place.find('/', i);
    if (end == place.npos) end = place.size();
    if (!detail::is_component(place.substr(i, end - i))) return false;
    i = end + 1;
  }
  return true;
}

/// Returns whether the path is the top of a drive, or `/`.
[[nodiscard]] constexpr bool is_top(std::string_view place, char drive) {
  return place == "/" || (drive == 0 && place.find('/', 1) == place.npos);
}

namespace detail {

/// Writes a component as printable text: `<U+202E>` replaces a control character, because no name has a `<`.
template <class Out> constexpr void write_component(std::string_view name, Out&& out) {
  while (!name.empty()) {
    const std::string_view character = name.substr(0, utf8::character_size(name));
    if (utf8::is_control(character)) {
      out("<U+");
      utf8::write_code_point(character, out);
      out(">");
    } else out(character);
    name.remove_prefix(character.size());
  }
}

} // namespace detail

/// Writes the name, which `is_name` accepts: `C:\work`. `*:\` is the top of every drive.
template <class Out> constexpr void write_name(std::string_view place, char drive, Out&& out) {
  const char letter[]{drive == 0 ? '*' : drive, ':', '\\'};
  if (drive != 0 || place == "/") out(std::string_view(letter, 3));
  for (std::size_t i = 1; i < place.size();) {
    std::size_t end = place.find('/', i);
    if (end == place.npos) end = place.size();
    detail::write_component(place.substr(i, end - i), out);
    if (end != place.size() || (drive == 0 && i == 1)) out("\\");
    i = end + 1;
  }
}

/// Sets of rights over the tree of paths, compared as NTFS does.
struct ntfs_tree : bits {
  /// The order of the walk: a directory before what is beneath it.
  [[nodiscard]] static constexpr std::strong_ordering order(std::string_view a, std::string_view b) {
    if (a.size() == 1) a = {};
    if (b.size() == 1) b = {};
    const std::size_t n = a.size() < b.size() ? a.size() : b.size();
    std::size_t i = 0;
    while (i < n && ascii::lower(a[i]) == ascii::lower(b[i])) ++i;
    if (i == n) return a.size() <=> b.size();
    const auto rank = [](char c) {
      return c == '/' ? 0 : static_cast<int>(static_cast<unsigned char>(ascii::lower(c))) + 1;
    };
    return rank(a[i]) <=> rank(b[i]);
  }
  /// Is the place the root itself or beneath it? Case is ignored as NTFS ignores it.
  [[nodiscard]] static constexpr bool covers(std::string_view root, std::string_view place) {
    return root.size() == 1 || (ascii::same_in_any_case(place.substr(0, root.size()), root) &&
                                (place.size() == root.size() || place[root.size()] == '/'));
  }
};

} // namespace cordon::appcontainer
