// SPDX-License-Identifier: BSL-1.0
/// The parts of an argument that may be a path or a host.
#pragma once

#include "url.hpp"

namespace cordon::guard {

/// What stands behind several one-letter options in one word: `/etc/passwd` of `-xf/etc/passwd`; empty if neither a slash,
/// a dot nor an @ is the first other character. `-Isrc/x` looks the same.
[[nodiscard]] constexpr std::string_view behind_letters(std::string_view word) {
  std::size_t i = 1;
  while (i < word.size() && is_alphanumeric(word[i])) ++i;
  return word[0] == '-' && i > 2 && i < word.size() && has("/.@", word[i]) ? word.substr(i) : std::string_view{};
}

/// Does `f` hold for the argument, for what stands behind a `=` in it, or behind one-letter options? What stands in a
/// URL is the URL's, and with a blank in it the argument is prose. Calls `f` once for each `=`.
template <class F> [[nodiscard]] constexpr bool any_value(std::string_view argument, F&& f) {
  if (has_blank(argument)) return false;
  if (f(argument)) return true;
  if (url_of(argument)) return false;
  if (argument.size() > 2 && argument[0] == '-' && is_alphanumeric(argument[1])) {
    const std::string_view value = argument.substr(2);
    if (f(value)) return true;
    if (url_of(value)) return false;
    const std::string_view path = behind_letters(argument);
    if ((path.starts_with('@') || path.starts_with("../")) && f(path)) return true;
  }
  for (std::size_t i = argument.find('='); i != argument.npos; i = argument.find('=', i + 1)) {
    const std::string_view value = argument.substr(i + 1);
    if (f(value)) return true;
    if (url_of(value)) return false;
  }
  return false;
}

} // namespace cordon::guard
