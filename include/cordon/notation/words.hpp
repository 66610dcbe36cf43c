// SPDX-License-Identifier: BSL-1.0
/// The words of notation: blanks separate words, `#` starts a comment, double quotes enclose a word with blanks.
#pragma once

#include "../detail/ascii.hpp"
#include "../policy/diagnostic.hpp"

#include <cstdint>
#include <string_view>

namespace cordon::notation {

/// A word and its position; columns count bytes from 1.
struct word {
  std::string_view text{};  ///< without its quotes; escapes not decoded
  bool quoted = false;      ///< was it written in quotes?
  std::uint32_t line = 0;   ///< from 1
  std::uint32_t column = 0; ///< in bytes, from 1
};

/// An error at the word.
[[nodiscard]] constexpr diagnostic at(const word& w, diagnostic_code code) { return {code, w.line, w.column, w.text}; }

/// Reads a text word by word. `next` stays on the current line; `next_line` moves to the next line that has a word.
/// Loops read through a pointer: constant evaluation pays for each call.
class words {
public:
  /// The words of a text, which must outlive this object.
  constexpr explicit words(std::string_view text) : rest_(text) {}

  /// False at the end of the text.
  constexpr bool next_line() {
    while (true) {
      if (started_) {
        const std::size_t end = end_of_line();
        if (end == rest_.size()) return false;
        rest_.remove_prefix(end + 1);
      }
      started_ = true;
      ++line_;
      column_ = 1;
      skip_blanks();
      if (rest_.empty()) return false;
      if (rest_.front() != '\n' && rest_.front() != '#') return true;
    }
  }

  /// False at the end of the line. Also false, with `error` set, if a quote does not end on its line, or if more text
  /// follows it without a blank.
  constexpr bool next(word& to) {
    skip_blanks();
    if (rest_.empty() || rest_.front() == '\n' || rest_.front() == '#') return false;
    to = {{}, rest_.front() == '"', line_, column_};
    const char* const text = rest_.data();
    const std::size_t size = rest_.size();
    std::size_t end = to.quoted ? 1 : 0;
    if (to.quoted) {
      for (; end < size && text[end] != '"' && text[end] != '\n'; ++end)
        if (text[end] == '\\' && end + 1 < size && text[end + 1] != '\n') ++end;
      if (end >= size || text[end] != '"') return failed_at(to);
      to.text = {text + 1, end - 1};
      take(end + 1);
      if (!rest_.empty() && !is_blank(rest_.front()) && rest_.front() != '\n') return failed_at(to);
      return true;
    }
    while (end < size && text[end] != ' ' && text[end] != '\t' && text[end] != '\r' && text[end] != '\n') ++end;
    to.text = {text, end};
    take(end);
    return true;
  }

  diagnostic error{}; ///< the first error of the text

private:
  constexpr bool failed_at(const word& w) {
    error = at(w, diagnostic_code::syntax);
    return false;
  }
  [[nodiscard]] static constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  [[nodiscard]] constexpr std::size_t end_of_line() const {
    const char* const text = rest_.data();
    const std::size_t size = rest_.size();
    std::size_t end = 0;
    while (end < size && text[end] != '\n') ++end;
    return end;
  }
  constexpr void take(std::size_t n) {
    rest_.remove_prefix(n);
    column_ += static_cast<std::uint32_t>(n);
  }
  constexpr void skip_blanks() {
    const char* const text = rest_.data();
    const std::size_t size = rest_.size();
    std::size_t n = 0;
    while (n < size && (text[n] == ' ' || text[n] == '\t' || text[n] == '\r')) ++n;
    if (n != 0) take(n);
  }

  std::string_view rest_;
  std::uint32_t line_ = 0;
  std::uint32_t column_ = 1;
  bool started_ = false;
};

/// Writes the bytes of a word to `out`. In quotes, `\\`, `\"` and `\xNN` are escapes. False if an escape is invalid or
/// `room` bytes are too few.
constexpr bool unescape(const word& w, char* out, std::size_t room, std::size_t& size) {
  const auto digit = [](char c) -> int {
    return ascii::is_upper(c) || ascii::hex_value(c) > 15 ? -1 : static_cast<int>(ascii::hex_value(c));
  };
  size = 0;
  for (std::size_t i = 0; i < w.text.size(); ++i) {
    char c = w.text[i];
    if (w.quoted && c == '\\') {
      if (++i == w.text.size()) return false;
      c = w.text[i];
      if (c == 'x') {
        if (i + 2 >= w.text.size()) return false;
        const int high = digit(w.text[i + 1]), low = digit(w.text[i + 2]);
        if (high < 0 || low < 0) return false;
        c = static_cast<char>(high * 16 + low);
        i += 2;
      } else if (c != '\\' && c != '"') return false;
    }
    if (size == room) return false;
    out[size++] = c;
  }
  return true;
}

} // namespace cordon::notation
