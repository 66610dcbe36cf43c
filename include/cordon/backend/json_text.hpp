// SPDX-License-Identifier: BSL-1.0
/// Text inside JSON, for rules that are told as such.
#pragma once

#include <cstddef>
#include <string_view>

namespace cordon {

/// The text as it stands between the quotes of a JSON string; it must be UTF-8. O(n).
template <class Out> constexpr void escape_json(std::string_view text, Out&& out) {
  constexpr std::string_view hex = "0123456789abcdef";
  std::size_t from = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    out(text.substr(from, i - from));
    from = i + 1;
    if (c >= 0x20) out("\\"), out(text.substr(i, 1));
    else out("\\u00"), out(hex.substr(c >> 4, 1)), out(hex.substr(c & 15U, 1));
  }
  out(text.substr(from));
}

} // namespace cordon
