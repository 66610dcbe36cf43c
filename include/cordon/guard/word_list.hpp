// SPDX-License-Identifier: BSL-1.0
/// Lists of words in one text, separated by one space: the form of option names in the guard's tables.
#pragma once

#include <cstddef>
#include <string_view>

namespace cordon::guard {

/// The characters that separate words. A text that contains one is prose, not a path, URL or host.
inline constexpr std::string_view blanks = " \t\n\v\f\r";

/// The first word of the list for which `fits` holds; empty if there is none. O(n).
template <class Fits> [[nodiscard]] constexpr std::string_view find_word(std::string_view list, Fits&& fits) {
  while (!list.empty()) {
    const std::size_t end = list.find(' ');
    const std::string_view word = list.substr(0, end);
    if (fits(word)) return word;
    list.remove_prefix(end == list.npos ? list.size() : end + 1);
  }
  return {};
}

/// The first word of a list with blanks between.
[[nodiscard]] constexpr std::string_view first_word(std::string_view list) { return list.substr(0, list.find(' ')); }
/// The words after the first.
[[nodiscard]] constexpr std::string_view behind_first_word(std::string_view list) {
  const std::size_t end = list.find(' ');
  return end == list.npos ? std::string_view{} : list.substr(end + 1);
}

/// Is the word in the list?
[[nodiscard]] constexpr bool has_word(std::string_view list, std::string_view wanted) {
  return !find_word(list, [&](std::string_view w) { return w == wanted; }).empty();
}

/// The first word of the list that begins with `start`. getopt_long accepts every unambiguous prefix (getopt(3)).
[[nodiscard]] constexpr std::string_view completed(std::string_view list, std::string_view start) {
  if (start.empty()) return {};
  return find_word(list, [&](std::string_view w) { return w.starts_with(start); });
}

/// Is the letter in the list?
[[nodiscard]] constexpr bool has(std::string_view letters, char c) { return letters.find(c) != letters.npos; }
/// Has the text a blank?
[[nodiscard]] constexpr bool has_blank(std::string_view text) { return text.find_first_of(blanks) != text.npos; }

/// True if the word is an option. A dash alone is an operand, and two end the options.
[[nodiscard]] constexpr bool is_option(std::string_view word) {
  return word.size() > 1 && word[0] == '-' && word != "--";
}

/// An option's name and, if in the same word, its value: `--name=value`.
struct long_option {
  std::string_view name{};  ///< without its dashes
  bool has_value = false;   ///< has it `=value`?
  std::string_view value{}; ///< behind the equals sign
};

/// Splits a word, given without its leading dashes.
[[nodiscard]] constexpr long_option long_option_of(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == word.npos) return {word, false, {}};
  return {word.substr(0, equals), true, word.substr(equals + 1)};
}

} // namespace cordon::guard
