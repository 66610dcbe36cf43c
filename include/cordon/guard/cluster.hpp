// SPDX-License-Identifier: BSL-1.0
/// One word of one-letter options, such as `-lc` or `-I/usr/lib`, as an interpreter reads it.
#pragma once

#include "../detail/ascii.hpp"
#include "interpreter.hpp"
#include "word_list.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace cordon::guard {

/// The effect of a word of options on the words after it.
enum class meaning : std::uint8_t {
  other, ///< nothing
  code,  ///< it takes code
  value, ///< the next word is its value
  last,  ///< no options follow
};

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 4> meaning_names{"other", "code", "value", "last"};
/// Returns: the name of the enumerator.
[[nodiscard]] constexpr std::string_view name(meaning m) { return meaning_names[static_cast<std::size_t>(m)]; }

namespace detail {

[[nodiscard]] constexpr std::size_t length_of(std::string_view text, std::string_view letters) {
  const std::size_t end = text.find_first_not_of(letters);
  return end == text.npos ? text.size() : end;
}

/// How many characters after a letter belong to it, for letters that take neither none nor all of them. perlrun(1),
/// ruby(1). An `e` directly after -i counts as option -e.
[[nodiscard]] constexpr std::size_t belonging(spelling how, char letter, std::string_view rest) {
  if (rest.empty() || (how != spelling::perl && how != spelling::ruby)) return 0;
  const bool perl = how == spelling::perl;
  switch (letter) {
  case 'F':
  case 'x': return rest.size();
  case 'i': return ascii::is_alphanumeric(rest[0]) ? 0 : rest.size();
  case '0': return rest[0] == 'x' ? 1 + length_of(rest.substr(1), "0123456789abcdefABCDEF") : 0;
  case 'C': return perl ? length_of(rest, "0123456789IOEioSDALa") : 0;
  case 'D': return perl ? rest.size() : 0;
  case 'd': return perl && (rest[0] == ':' || rest[0] == '=' || rest.starts_with("t:")) ? rest.size() : 0;
  case 'V': return perl && rest[0] == ':' ? rest.size() : 0;
  case 'K':
  case 'T': return perl ? 0 : 1;
  case 'W': return !perl && rest[0] == ':' ? rest.size() : 0;
  default: return 0;
  }
}

} // namespace detail

/// Parses the letters after the dash. O(letters).
[[nodiscard]] constexpr meaning meaning_of(const interpreter& by, std::string_view letters) {
  meaning found = meaning::other;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const std::string_view rest = letters.substr(i + 1);
    if (has(by.code, letters[i])) return meaning::code;
    if (has(by.last, letters[i])) return meaning::last;
    if (has(by.value, letters[i])) {
      if (rest.empty()) return meaning::value;
      // bash(1) and dash(1) take the name after -o from the next word and continue with the cluster, as in -euo or -oc.
      // Only zsh takes the rest. No option's name has fewer than three letters, except vi.
      if (by.spelling != spelling::shell || rest.size() > 2 || rest == "vi") return found;
      found = meaning::value;
    }
    i += detail::belonging(by.spelling, letters[i], rest);
  }
  return found;
}

} // namespace cordon::guard
