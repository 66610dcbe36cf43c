// SPDX-License-Identifier: BSL-1.0
/// The words of notation: blanks separate words, `#` starts a comment, double quotes enclose a word with blanks.
#pragma once

#include "../policy/diagnostic.hpp"

#include <cstdint>
#include <string_view>

namespace cordon::notation {

/// A word and its position; columns count bytes from 1.
struct word {
  std::string_view text{}; ///< without its quotes; escapes not decoded
  bool quoted = false;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

[[nodiscard]] constexpr diagnostic at(const word& w, errc code) { return {code, w.line, w.column, w.text}; }

/// Reads a text word by word. `next` stays on the current line; `next_line` moves to the next line that has a word.
class words {
public:
  constexpr explicit words(std::string_view text) : rest_(text) {}

  /// False at the end of the text.
  constexpr bool next_line() {
    while (true) {
      const std::size_t end = started_ ? rest_.find('\n') : 0;
      if (started_) {
        if (end == rest_.npos) return false;
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
    std::size_t end = to.quoted ? 1 : 0;
    if (to.quoted) {
      for (; end < rest_.size() && rest_[end] != '"' && rest_[end] != '\n'; ++end)
        if (rest_[end] == '\\' && end + 1 < rest_.size() && rest_[end + 1] != '\n') ++end;
      if (end >= rest_.size() || rest_[end] != '"') return error = at(to, errc::syntax), false;
      to.text = rest_.substr(1, end - 1);
      take(end + 1);
      if (!rest_.empty() && !is_blank(rest_.front()) && rest_.front() != '\n')
        return error = at(to, errc::syntax), false;
      return true;
    }
    while (end < rest_.size() && !is_blank(rest_[end]) && rest_[end] != '\n') ++end;
    to.text = rest_.substr(0, end);
    take(end);
    return true;
  }

  diagnostic error{};

private:
  [[nodiscard]] static constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  constexpr void take(std::size_t n) {
    rest_.remove_prefix(n);
    column_ += static_cast<std::uint32_t>(n);
  }
  constexpr void skip_blanks() {
    while (!rest_.empty() && is_blank(rest_.front())) take(1);
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
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
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
