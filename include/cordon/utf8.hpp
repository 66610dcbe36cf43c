// SPDX-License-Identifier: BSL-1.0
/// UTF-8 (RFC 3629): paths and variables of a system may be any bytes, JSON and the names of some systems may not.
#pragma once

#include <cstddef>
#include <string_view>

namespace cordon::utf8 {

/// How many bytes the well-formed character at the front takes; 0 if there is none.
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

/// Is all of it well-formed? O(n).
[[nodiscard]] constexpr bool is_text(std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

} // namespace cordon::utf8
