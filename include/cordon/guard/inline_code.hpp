// SPDX-License-Identifier: BSL-1.0
/// Finds code that an interpreter gets on its command line, in the options before the first operand.
#pragma once

#include "../detail/ascii.hpp"
#include "cluster.hpp"
#include "words.hpp"

namespace cordon::guard {

namespace detail {

/// Long options of bash that would be misread as a cluster of letters after one dash.
inline constexpr std::string_view single_dashed =
    "debugger dump-po-strings dump-strings help init-file login noediting noprofile norc posix pretty-print protected "
    "rcfile restricted verbose version wordexp";

[[nodiscard]] constexpr meaning letters_meaning(const interpreter& by, std::string_view word) {
  const bool bash = !by.value_words.empty() && by.value_words == bash_words;
  const bool is_long = word.starts_with("--") || (bash && has_word(single_dashed, word.substr(1)));
  if (!is_long) return meaning_of(by, word.substr(1));
  const long_option o = long_option_of(word.substr(word.starts_with("--") ? 2 : 1));
  const bool any_start = by.spelling == spelling::getopt;
  if (any_start ? !completed(by.code_words, o.name).empty() : has_word(by.code_words, o.name)) return meaning::code;
  return has_word(by.value_words, o.name) && !o.has_value ? meaning::value : meaning::other;
}

[[nodiscard]] constexpr meaning words_meaning(const interpreter& by, std::string_view word) {
  const long_option o = long_option_of(word);
  if (has_word(by.code_words, o.name)) return meaning::code;
  return has_word(by.value_words, o.name) && !o.has_value ? meaning::value : meaning::other;
}

/// about_pwsh: any unambiguous prefix of a parameter's name is accepted.
[[nodiscard]] constexpr meaning powershell_meaning(std::string_view word) {
  word.remove_prefix(word.starts_with("--") ? 2 : 1);
  std::array<char, 32> low{};
  if (word.empty() || word.size() > low.size()) return meaning::other;
  for (std::size_t i = 0; i < word.size(); ++i) low[i] = ascii::lower(word[i]);
  const std::string_view key(low.data(), word.size());
  if (has_word("ec cwa", key) || !completed("command commandwithargs encodedcommand", key).empty())
    return meaning::code;
  if (!completed("interactive login mta noexit nologo noninteractive noprofile sta help", key).empty())
    return meaning::other;
  if (!completed("file", key).empty()) return meaning::last;
  const bool value = has_word("ep ea if of wd", key) ||
                     !completed("executionpolicy configurationname configurationfile custompipename encodedarguments "
                                "inputformat outputformat psconsolefile settingsfile version windowstyle "
                                "workingdirectory",
                                key)
                          .empty();
  return value ? meaning::value : meaning::other;
}

/// `cmd /?`: /C and /K run a string, which may follow directly; /R is the same as /C.
[[nodiscard]] constexpr meaning cmd_meaning(std::string_view word) {
  for (std::size_t i = 0; i + 1 < word.size(); ++i)
    if (word[i] == '/' && has("ckr", ascii::lower(word[i + 1]))) return meaning::code;
  return meaning::other;
}

/// True if the word is an option.
[[nodiscard]] constexpr bool is_option(spelling how, std::string_view word) {
  if (how == spelling::cmd) return word.starts_with('/');
  if (how == spelling::powershell && word.size() > 1 && word[0] == '/') return word.find('/', 1) == word.npos;
  if (how == spelling::shell && word.size() > 1 && word[0] == '+') return true;
  return guard::is_option(word);
}

[[nodiscard]] constexpr meaning option_meaning(const interpreter& by, std::string_view word) {
  switch (by.spelling) {
  case spelling::none: return meaning::last;
  case spelling::words: return words_meaning(by, word);
  case spelling::powershell: return powershell_meaning(word);
  case spelling::cmd: return cmd_meaning(word);
  default: return letters_meaning(by, word);
  }
}

} // namespace detail

/// Index of the word that passes code to the interpreter at `program`. Returns: the number of words if there is none.
/// O(words).
[[nodiscard]] constexpr std::size_t find_inline_code(const words& w, std::size_t program) {
  const interpreter& by = known_interpreters[interpreter_of(w[program].text)];
  std::size_t i = program + 1;
  for (; i < w.size() && detail::is_option(by.spelling, w[i].text); ++i) {
    const meaning m = detail::option_meaning(by, w[i].text);
    if (m == meaning::code) return i;
    if (m == meaning::last) return w.size();
    if (m == meaning::value) ++i;
  }
  // The first operand of both is a subcommand; these two take code.
  if (i < w.size() && by.name == "deno" && w[i].text == "eval") return i;
  if (i < w.size() && by.name == "bun" && w[i].text == "exec") return i;
  return w.size();
}

} // namespace cordon::guard
