// SPDX-License-Identifier: BSL-1.0
/// The parts of an argument that may be a path or a host.
#pragma once

#include "../detail/ascii.hpp"
#include "url.hpp"

namespace cordon::guard {

/// The text after several one-letter options in one word: `/etc/passwd` of `-xf/etc/passwd`. Empty unless the first
/// other character is a slash, a dot or an @. `-Isrc/x` looks the same.
[[nodiscard]] constexpr std::string_view behind_letters(std::string_view word) {
  std::size_t i = 1;
  while (i < word.size() && ascii::is_alphanumeric(word[i])) ++i;
  return word[0] == '-' && i > 2 && i < word.size() && has("/.@", word[i]) ? word.substr(i) : std::string_view{};
}

/// True if `f` holds for the argument, for the text after a `=` in it, or for the text after one-letter options. Text
/// in a URL belongs to the URL, and an argument with a blank is prose. Calls `f` once for each `=`.
template <class F> [[nodiscard]] constexpr bool any_value(std::string_view argument, F&& f) {
  if (has_blank(argument)) return false;
  if (f(argument)) return true;
  if (url_of(argument)) return false;
  if (argument.size() > 2 && argument[0] == '-' && ascii::is_alphanumeric(argument[1])) {
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
