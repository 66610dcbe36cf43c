// SPDX-License-Identifier: BSL-1.0
/// Parsers for build files that find only a list of members. Each function reads its text once, in O(n).
#pragma once

#include "../../detail/ascii.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::manifest {

/// The text without blanks at both ends.
[[nodiscard]] constexpr std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const std::size_t from = text.find_first_not_of(blank);
  return from == text.npos ? std::string_view() : text.substr(from, text.find_last_not_of(blank) + 1 - from);
}

/// Removes one pair of quotes around the text.
[[nodiscard]] constexpr std::string_view unquoted(std::string_view text) {
  const bool quoted = text.size() > 1 && (text[0] == '"' || text[0] == '\'') && text.back() == text[0];
  return quoted ? text.substr(1, text.size() - 2) : text;
}

/// Calls `f(line)` for each line, without its line feed.
template <class F> constexpr void each_line(std::string_view text, F&& f) {
  for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
    end = text.find('\n', at);
    if (end == text.npos) end = text.size();
    f(text.substr(at, end - at));
  }
}

/// Removes each section from `open` to `close`, with both words. A section without an end runs to the end of the text.
[[nodiscard]] inline std::string without(std::string_view text, std::string_view open, std::string_view close) {
  std::string out;
  for (;;) {
    const std::size_t from = text.find(open);
    out += text.substr(0, from);
    if (from == text.npos) return out;
    const std::size_t end = text.find(close, from + open.size());
    if (end == text.npos) return out;
    text.remove_prefix(end + close.size());
  }
}

namespace detail {

/// Does a one-component pattern match a name? `*` is any text, `?` any byte. O(n m).
[[nodiscard]] constexpr bool fits_name(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, star = pattern.npos, after = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      after = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != pattern.npos) {
      p = star + 1;
      n = ++after;
    } else return false;
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

/// The first component and the rest, both without surrounding slashes.
struct cut_place {
  std::string_view first, rest;
};
[[nodiscard]] constexpr cut_place cut(std::string_view place) {
  const std::size_t end = place.find('/');
  if (end == place.npos) return {place, {}};
  return {place.substr(0, end), place.substr(end + 1)};
}

[[nodiscard]] constexpr bool fits(std::string_view pattern, std::string_view place, int depth) {
  if (depth == 0) return false;
  if (pattern.empty() || place.empty()) return place.empty() && (pattern.empty() || pattern == "**");
  const cut_place p = cut(pattern), n = cut(place);
  if (p.first == "**") return fits(p.rest, place, depth - 1) || fits(pattern, n.rest, depth - 1);
  return fits_name(p.first, n.first) && fits(p.rest, n.rest, depth - 1);
}

} // namespace detail

/// Does a pattern of several components match a path? Both start with a slash; `**` is any number of components. Looks
/// at no more than 24 components, and at no pattern with more than two `**`: each `**` raises the power of the cost.
[[nodiscard]] constexpr bool matches(std::string_view pattern, std::string_view place) {
  int stars = 0;
  for (std::size_t at = 0; (at = pattern.find("**", at)) != pattern.npos; at += 2) ++stars;
  return stars <= 2 && detail::fits(pattern.substr(1), place.substr(1), 24);
}

namespace detail {

/// A TOML scanner that recognizes strings and comments. Does not decode escapes, since no directory name needs them.
class toml_walk {
public:
  explicit toml_walk(std::string_view text) : rest_(text) {}

  /// The strings of the list `key` of a table: `key = [...]` below `[table]`, or `table.key = [...]` above all tables.
  [[nodiscard]] std::vector<std::string> list(std::string_view table, std::string_view key) {
    const std::string dotted = std::string(table) + "." + std::string(key);
    std::string now;
    while (!rest_.empty()) {
      const std::string_view line = trimmed(take_line());
      if (line.starts_with('[')) {
        now = line.starts_with("[[") ? "[[" : std::string(trimmed(line.substr(1, line.find(']') - 1)));
        continue;
      }
      const std::size_t equal = line.find('=');
      if (equal == line.npos) continue;
      const std::string_view name = trimmed(line.substr(0, equal));
      if ((now == table && name == key) || (now.empty() && name == dotted)) {
        rest_ = {line.data() + equal + 1,
                 static_cast<std::size_t>(rest_.data() + rest_.size() - line.data()) - equal - 1};
        return strings();
      }
      skip_text(line.substr(equal + 1));
    }
    return {};
  }

private:
  [[nodiscard]] std::string_view take_line() {
    const std::size_t end = rest_.find('\n');
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end == rest_.npos ? rest_.size() : end + 1);
    return line;
  }

  /// Skips a multi-line string that begins in this line.
  void skip_text(std::string_view value) {
    for (const std::string_view quotes : {"\"\"\"", "'''"}) {
      const std::size_t open = value.find(quotes);
      if (open == value.npos || value.find(quotes, open + 3) != value.npos) continue;
      const std::size_t close = rest_.find(quotes);
      rest_.remove_prefix(close == rest_.npos ? rest_.size() : close + 3);
    }
  }

  /// The strings of a list. A token other than a string or a comma ends it.
  [[nodiscard]] std::vector<std::string> strings() {
    std::vector<std::string> all;
    rest_ = trimmed(rest_);
    if (!rest_.starts_with('[')) return {};
    for (std::size_t at = 1; at < rest_.size();) {
      const char c = rest_[at];
      if (c == '#') at = std::min(rest_.find('\n', at), rest_.size());
      else if (c == '"' || c == '\'') {
        const std::size_t end = rest_.find(c, at + 1);
        if (end == rest_.npos) return {};
        all.emplace_back(rest_.substr(at + 1, end - at - 1));
        at = end + 1;
      } else if (c == ']') return all;
      else if (c == ',' || c == ' ' || c == '\t' || c == '\r' || c == '\n') ++at;
      else return {};
    }
    return {}; // it has no end
  }

  std::string_view rest_;
};

} // namespace detail

/// Returns: the strings of a list in a TOML table; empty if it is missing, or contains anything but strings.
[[nodiscard]] inline std::vector<std::string> toml_list(std::string_view text, std::string_view table,
                                                        std::string_view key) {
  return detail::toml_walk(text).list(table, key);
}

/// Build files that are programs.
enum class language : bool {
  meson, ///< strings in single quotes
  cmake, ///< words, or strings in double quotes; command names in any case
};

namespace detail {

[[nodiscard]] constexpr bool is_word(char c) { return ascii::is_alphanumeric(c) || c == '_'; }
[[nodiscard]] constexpr bool same_word(std::string_view a, std::string_view b, bool folded) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i] && !(folded && ascii::lower(a[i]) == b[i])) return false;
  return true;
}

/// Returns: the position after a comment or string that starts at `at`; `at` if none does.
[[nodiscard]] constexpr std::size_t behind(std::string_view text, std::size_t at, language in) {
  const auto end = [&](std::string_view closing, std::size_t from) {
    const std::size_t found = text.find(closing, from);
    return found == text.npos ? text.size() : found + closing.size();
  };
  const std::string_view rest = text.substr(at);
  if (in == language::cmake && rest.starts_with("#[[")) return end("]]", at + 3);
  if (rest.starts_with('#')) return end("\n", at + 1);
  if (in == language::cmake) return rest.starts_with('"') ? end("\"", at + 1) : at;
  if (rest.starts_with("'''")) return end("'''", at + 3);
  return rest.starts_with('\'') ? end("'", at + 1) : at;
}

/// Returns: the first argument of a call, from after its parenthesis; empty if it is not plain text.
[[nodiscard]] constexpr std::string_view plain_argument(std::string_view text, language in) {
  text = trimmed(text);
  const char quote = in == language::meson ? '\'' : '"';
  if (text.starts_with(quote)) text = text.substr(1, text.find(quote, 1) - 1);
  else if (in == language::meson) return {};
  else text = text.substr(0, text.find_first_of(" \t\r\n)"));
  for (const std::string_view here : {"${CMAKE_CURRENT_SOURCE_DIR}/", "${CMAKE_CURRENT_LIST_DIR}/"})
    if (in == language::cmake && text.starts_with(here)) text.remove_prefix(here.size());
  return text.find_first_of("$@*?\\\n") == text.npos ? text : std::string_view();
}

} // namespace detail

/// The first arguments of all calls of a command that are plain text. Calls inside a condition count.
[[nodiscard]] inline std::vector<std::string> first_arguments(std::string_view text, std::string_view command,
                                                              language in) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t next = detail::behind(text, at, in); next != at) {
      at = next;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && detail::is_word(text[end])) ++end;
    if (end == at) {
      ++at;
      continue;
    }
    const bool wanted = detail::same_word(text.substr(at, end - at), command, in == language::cmake);
    at = std::min(text.find_first_not_of(" \t", end), text.size());
    if (!wanted || at == text.size() || text[at] != '(') continue;
    if (const std::string_view argument = detail::plain_argument(text.substr(at + 1), in); !argument.empty())
      all.emplace_back(argument);
  }
  return all;
}

} // namespace cordon::manifest
