// SPDX-License-Identifier: BSL-1.0
/// Programs whose arguments are a command line that they start in turn. Options as in GNU coreutils 9, findutils 4.9,
/// util-linux 2.38 and, where they differ, the BSDs.
#pragma once

#include "program_name.hpp"
#include "words.hpp"

namespace cordon::guard {

struct wrapper {
  std::string_view name;
  std::string_view letters;  ///< one-letter options with a value, in the same word or the next one
  std::string_view attached; ///< those whose value can only stand in the same word
  std::string_view options;  ///< long ones with a value
  std::size_t operands;      ///< how many stand before the program
};

inline constexpr std::array<wrapper, 8> wrappers{{
    {"env", "uCaPS", "", "unset chdir argv0 split-string", 0},
    {"xargs", "adEILnPsJRS", "eil", "arg-file delimiter max-args max-procs max-chars process-slot-var", 0},
    {"busybox", "", "", "", 0},
    {"nice", "n", "", "adjustment", 0},
    {"nohup", "", "", "", 0},
    {"timeout", "ks", "", "kill-after signal", 1},
    {"setsid", "", "", "", 0},
    {"stdbuf", "ioe", "", "input output error", 0},
}};

/// Index in `wrappers`, or their number.
[[nodiscard]] constexpr std::size_t wrapper_of(std::string_view program) {
  std::size_t i = 0;
  while (i != wrappers.size() && !program_name_of(program).is(wrappers[i].name)) ++i;
  return i;
}

/// The option with a value that a word holds.
struct valued_option {
  std::string_view name{}; ///< empty: there is none
  bool is_next = false;    ///< the value is the next word
  std::string_view value{};
};

[[nodiscard]] constexpr valued_option valued_option_of(const wrapper& by, std::string_view word) {
  if (word.starts_with("--")) {
    const long_option o = long_option_of(word.substr(2));
    return {completed(by.options, o.name), !o.has_value, o.value};
  }
  for (std::size_t i = 1; i < word.size() && !has(by.attached, word[i]); ++i)
    if (has(by.letters, word[i])) return {word.substr(i, 1), i + 1 == word.size(), word.substr(i + 1)};
  return {};
}

/// Index of the program that the one at `program` starts, or the number of words if it starts none. Splits what
/// `env -S` splits. O(words).
[[nodiscard]] constexpr std::size_t started_by(words& w, std::size_t program) {
  const std::size_t which = wrapper_of(w[program].text);
  if (which == wrappers.size()) return w.size();
  const wrapper& by = wrappers[which];
  const bool env = by.name == "env";
  std::size_t i = program + 1;
  while (i < w.size() && !w.is_cut()) {
    const std::string_view text = w[i].text;
    if (!is_option(text) && !(env && text == "-")) break;
    const valued_option o = valued_option_of(by, text);
    const bool has_value = !o.name.empty() && (!o.is_next || i + 1 < w.size());
    const std::size_t end = i + (has_value && o.is_next ? 2 : 1);
    if (env && has_value && (o.name == "S" || o.name == "split-string"))
      w.split(i, end, o.is_next ? w[i + 1].text : o.value);
    else i = end;
  }
  if (i < w.size() && w[i].text == "--") ++i;
  i += by.operands;
  while (env && i < w.size() && has(w[i].text, '=')) ++i;
  return i < w.size() ? i : w.size();
}

} // namespace cordon::guard
