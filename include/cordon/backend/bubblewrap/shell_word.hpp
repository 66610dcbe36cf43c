// SPDX-License-Identifier: BSL-1.0
/// Words for a POSIX shell.
#pragma once

#include <string_view>

namespace cordon::bubblewrap {

/// Calls `out` with the pieces of a word that a shell reads back as these bytes; NUL alone cannot be said. Only
/// letters, digits and a few marks stand without quotes. O(n).
template <class Out> constexpr void shell_word(std::string_view text, Out&& out) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-_.,+:@%";
  if (!text.empty() && text.find_first_not_of(plain) == text.npos) return out(text);
  out("'");
  while (true) {
    const std::size_t quote = text.find('\'');
    out(text.substr(0, quote));
    if (quote == text.npos) break;
    out("'\\''");
    text.remove_prefix(quote + 1);
  }
  out("'");
}

} // namespace cordon::bubblewrap
