// SPDX-License-Identifier: BSL-1.0
/// Words for a POSIX shell, in printable text:
///
///     /usr/lib                      letters, digits and a few marks need no quotes
///     'two words'   'it'\''s'       other characters are quoted
///     '/a'"$(printf '\033')"'b'     printf writes control characters, and bytes that are not UTF-8
///     '/a'"$newline"                a shell removes line breaks at the end of a command's output
///
/// The form `$'...'` would be shorter, but dash 0.5.12 (/bin/sh of Debian 12) reads other bytes there.
#pragma once

#include "../../detail/utf8.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon::bubblewrap {

/// Must precede the first command with a word that is not printable. If printf does not work, the shell does not run
/// that command.
inline constexpr std::string_view newline_setting = "newline=$(printf '\\012.') && newline=${newline%.} &&\n";

namespace detail {

enum class spelling : std::uint8_t { quoted, printed, line_break };

struct run_of_bytes {
  spelling how;
  std::size_t size;
};

[[nodiscard]] constexpr run_of_bytes first_character(std::string_view text) {
  if (text.front() == '\n') return {spelling::line_break, 1};
  const std::size_t size = utf8::character_size(text);
  if (size == 0) return {spelling::printed, 1};
  return {utf8::is_control(text.substr(0, size)) ? spelling::printed : spelling::quoted, size};
}

/// Returns the longest run of characters with one spelling at the front of a text, which must not be empty.
[[nodiscard]] constexpr run_of_bytes first_run(std::string_view text) {
  run_of_bytes all = first_character(text);
  while (all.size < text.size()) {
    const run_of_bytes next = first_character(text.substr(all.size));
    if (next.how != all.how) break;
    all.size += next.size;
  }
  return all;
}

template <class Out> constexpr void write_in_quotes(std::string_view text, Out& out) {
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

template <class Out> constexpr void write_printf(std::string_view bytes, Out& out) {
  out("\"$(printf '");
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    const char octal[]{'\\', static_cast<char>('0' + (byte >> 6)), static_cast<char>('0' + (byte >> 3 & 7)),
                       static_cast<char>('0' + (byte & 7))};
    out(std::string_view(octal, sizeof octal));
  }
  out("')\"");
}

} // namespace detail

/// Calls `out` with the pieces of a word that a shell reads back as these bytes; a word has no NUL. O(n).
template <class Out> constexpr void shell_word(std::string_view text, Out&& out) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-_.,+:@%";
  if (text.empty()) return out("''");
  if (text.find_first_not_of(plain) == text.npos) return out(text);
  while (!text.empty()) {
    const detail::run_of_bytes run = detail::first_run(text);
    switch (run.how) {
    case detail::spelling::quoted: detail::write_in_quotes(text.substr(0, run.size), out); break;
    case detail::spelling::printed: detail::write_printf(text.substr(0, run.size), out); break;
    case detail::spelling::line_break:
      for (std::size_t i = 0; i < run.size; ++i) out("\"$newline\"");
      break;
    }
    text.remove_prefix(run.size);
  }
}

} // namespace cordon::bubblewrap
