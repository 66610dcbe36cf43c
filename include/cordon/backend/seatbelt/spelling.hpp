// SPDX-License-Identifier: BSL-1.0
/// Paths as macOS and its profiles spell them.
#pragma once

#include "../../policy/path.hpp"

#include <cstddef>
#include <string_view>

namespace cordon::seatbelt {

/// Directories that macOS keeps in /private, with a symbolic link in the root directory. The kernel matches the
/// resolved path, which never starts with the link (recorded on macOS 14: a rule that names /tmp/x matches nothing).
inline constexpr std::string_view linked[]{"/etc", "/tmp", "/var"};
/// The directory that /tmp, /var and /etc are links into.
inline constexpr std::string_view private_root = "/private";

/// The longest path that macOS opens, without its NUL: PATH_MAX is 1024, bsd/sys/syslimits.h.
inline constexpr std::size_t longest_path = 1023;

/// Returns whether a string literal of a profile can contain the path. Quotes and backslashes are escaped. Control
/// bytes are refused, because a line break would let a path look like another line of the profile.
[[nodiscard]] constexpr bool is_writable(std::string_view place) {
  for (const char c : place)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return false;
  return place.size() <= longest_path;
}

/// The other name of the same path: /tmp/x for /private/tmp/x and the reverse. Empty if there is no other.
class other_spelling {
public:
  /// The spelling with or without `/private`; empty if there is none.
  constexpr explicit other_spelling(std::string_view place) {
    const bool is_private = path::covers(private_root, place);
    const std::string_view rest = is_private ? place.substr(private_root.size()) : place;
    bool found = false;
    for (const std::string_view link : linked) found = found || (!rest.empty() && path::covers(link, rest));
    if (!found) return;
    if (!is_private) append(private_root);
    append(rest);
  }
  /// The text; empty if there is none.
  [[nodiscard]] constexpr std::string_view view() const { return {text_, size_}; }

private:
  constexpr void append(std::string_view piece) {
    for (const char c : piece) text_[size_++] = c;
  }
  std::size_t size_ = 0;
  char text_[private_root.size() + path::longest + 1]{};
};

} // namespace cordon::seatbelt
