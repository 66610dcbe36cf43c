// SPDX-License-Identifier: BSL-1.0
/// Escapes text for rules in JSON.
#pragma once

#include "../detail/utf8.hpp"

#include <cstddef>
#include <string_view>

namespace cordon {

/// Writes the text as the content of a JSON string, without quotes; it must be UTF-8. Also escapes control characters
/// that JSON allows (DEL, C1, direction marks), because a terminal interprets them. O(n).
template <class Out> constexpr void escape_json(std::string_view text, Out&& out) {
  std::size_t from = 0;
  for (std::size_t i = 0, size = 0; i < text.size(); i += size) {
    size = utf8::character_size(text.substr(i));
    if (size == 0) size = 1;
    const std::string_view character = text.substr(i, size);
    const bool is_control = utf8::is_control(character);
    if (!is_control && character != "\"" && character != "\\") continue;
    out(text.substr(from, i - from));
    out(is_control ? "\\u" : "\\");
    if (is_control) utf8::write_code_point(character, out);
    else out(character);
    from = i + size;
  }
  out(text.substr(from));
}

} // namespace cordon
