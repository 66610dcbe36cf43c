// SPDX-License-Identifier: BSL-1.0
/// UTF-8 (RFC 3629). Paths and environment variables of a system may be any bytes; JSON and the names of some systems
/// must be UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon::utf8 {

/// U+FFFD, which is shown for bytes that are not part of a character.
inline constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// The size in bytes of the character at the front; 0 if the text is empty or the character is not well-formed.
[[nodiscard]] constexpr std::size_t character_size(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return low <= byte(i) && byte(i) <= high;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (0xC2 <= first && first <= 0xDF) return follows(1) ? 2 : 0;
  if (0xE0 <= first && first <= 0xEF)
    return follows(1, first == 0xE0 ? 0xA0 : 0x80, first == 0xED ? 0x9F : 0xBF) && follows(2) ? 3 : 0;
  if (0xF0 <= first && first <= 0xF4)
    return follows(1, first == 0xF0 ? 0x90 : 0x80, first == 0xF4 ? 0x8F : 0xBF) && follows(2) && follows(3) ? 4 : 0;
  return 0;
}

/// Is the whole text well-formed? O(n).
[[nodiscard]] constexpr bool is_text(std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

/// Does a well-formed character control a terminal instead of showing a glyph? These are controls (C0, DEL, C1), line
/// and paragraph separators, and marks of writing direction (Unicode 15, general categories Cc, Zl, Zp, and
/// Bidi_Control).
[[nodiscard]] constexpr bool is_control(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return byte(0) < 0x20 || byte(0) == 0x7F;
  if (character.size() == 2) return (byte(0) == 0xC2 && byte(1) < 0xA0) || (byte(0) == 0xD8 && byte(1) == 0x9C);
  if (character.size() != 3 || byte(0) != 0xE2) return false;
  if (byte(1) == 0x80) return byte(2) == 0x8E || byte(2) == 0x8F || (byte(2) >= 0xA8 && byte(2) <= 0xAE);
  return byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9;
}

/// The Unicode code point of a well-formed character.
[[nodiscard]] constexpr std::uint32_t code_point(std::string_view character) {
  const auto first = static_cast<unsigned char>(character.front());
  std::uint32_t code = character.size() == 1 ? first : first & (0x7FU >> character.size());
  for (const char c : character.substr(1)) code = code << 6 | (static_cast<unsigned char>(c) & 0x3FU);
  return code;
}

/// Writes the code point of a well-formed character of at most three bytes as four hexadecimal digits. Every control
/// character has at most three bytes.
template <class Out> constexpr void write_code_point(std::string_view character, Out&& out) {
  constexpr std::string_view hex = "0123456789abcdef";
  for (int shift = 12; shift >= 0; shift -= 4) out(hex.substr(code_point(character) >> shift & 15, 1));
}

/// Calls `out(piece)` with the text, with `\xNN` for every byte of a control character and every byte that is not part
/// of a character. All output to a terminal or a log passes through here. O(n).
template <class Out> constexpr void write_printable(std::string_view text, Out&& out) {
  constexpr std::string_view hex = "0123456789abcdef";
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    const std::string_view character = text.substr(0, size == 0 ? 1 : size);
    if (size != 0 && !is_control(character)) out(character);
    else
      for (const char c : character) {
        const auto u = static_cast<unsigned char>(c);
        out("\\x"), out(hex.substr(u >> 4, 1)), out(hex.substr(u & 15, 1));
      }
    text.remove_prefix(character.size());
  }
}

/// Does `write_printable` leave the text unchanged?
[[nodiscard]] constexpr bool is_printable(std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    if (size == 0 || is_control(text.substr(0, size))) return false;
    text.remove_prefix(size);
  }
  return true;
}

} // namespace cordon::utf8
