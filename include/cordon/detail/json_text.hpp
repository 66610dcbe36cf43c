// SPDX-License-Identifier: BSL-1.0
/// The content of JSON strings (RFC 8259).
#pragma once

#include "utf8.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon {

/// How control characters are written: all as `\u` and four digits, or as `\b \t \n \f \r` where JSON has a short form.
enum class json_controls : std::uint8_t { code_points, short_forms };

namespace detail {

/// Writes one character that cannot be in a JSON string as it is.
template <class Out> constexpr void write_json_escape(std::string_view character, json_controls how, Out&& out) {
  constexpr std::string_view controls = "\b\t\n\f\r", letters = "btnfr";
  const std::size_t letter = how == json_controls::short_forms ? controls.find(character) : controls.npos;
  if (letter != controls.npos) {
    out("\\");
    out(letters.substr(letter, 1));
  } else if (utf8::is_control(character)) {
    out("\\u");
    utf8::write_code_point(character, out);
  } else {
    out("\\");
    out(character);
  }
}

} // namespace detail

/// Writes the text as the content of a JSON string, without quotes. Each byte that is not part of a UTF-8 character
/// becomes U+FFFD. Also escapes control characters that JSON allows (DEL, C1, direction marks), because a terminal
/// interprets them. O(n).
template <class Out>
constexpr void escape_json(std::string_view text, Out&& out, json_controls how = json_controls::code_points) {
  std::size_t from = 0;
  for (std::size_t i = 0, size = 0; i < text.size(); i += size) {
    size = utf8::character_size(text.substr(i));
    const bool is_invalid = size == 0;
    if (is_invalid) size = 1;
    const std::string_view character = text.substr(i, size);
    if (!is_invalid && !utf8::is_control(character) && character != "\"" && character != "\\") continue;
    out(text.substr(from, i - from));
    if (is_invalid) out(utf8::replacement);
    else detail::write_json_escape(character, how, out);
    from = i + size;
  }
  out(text.substr(from));
}

} // namespace cordon
