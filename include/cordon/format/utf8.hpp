// SPDX-License-Identifier: BSL-1.0
/// Makes bytes that are not valid UTF-8 readable.
#pragma once

#include "../detail/utf8.hpp"

#include <string>
#include <string_view>

namespace cordon::format {

/// The text with U+FFFD for every byte outside a valid character.
[[nodiscard]] inline std::string as_utf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t size = utf8::character_size(text);
    out += size == 0 ? utf8::replacement : text.substr(0, size);
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return out;
}

/// The text made safe for a terminal or a log (`utf8::write_printable`).
[[nodiscard]] inline std::string printable(std::string_view text) {
  std::string out;
  utf8::write_printable(text, [&](std::string_view piece) { out += piece; });
  return out;
}

} // namespace cordon::format
