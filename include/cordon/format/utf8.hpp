// SPDX-License-Identifier: BSL-1.0
/// Bytes that are no UTF-8, for people.
#pragma once

#include "../detail/utf8.hpp"

#include <string>
#include <string_view>

namespace cordon::format {

/// The text with U+FFFD for every byte that belongs to no character.
[[nodiscard]] inline std::string as_utf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t size = utf8::character_size(text);
    out += size == 0 ? "\xEF\xBF\xBD" : text.substr(0, size);
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return out;
}

/// The text as a terminal or a log may have it (`utf8::write_printable`).
[[nodiscard]] inline std::string printable(std::string_view text) {
  std::string out;
  utf8::write_printable(text, [&](std::string_view piece) { out += piece; });
  return out;
}

} // namespace cordon::format
