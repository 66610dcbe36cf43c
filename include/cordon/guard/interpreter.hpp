// SPDX-License-Identifier: BSL-1.0
/// Shells and language runtimes, and the options by which each takes code on its command line.
#pragma once

#include "program_name.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon::guard {

/// How an interpreter's options are spelled.
enum class spelling : std::uint8_t {
  none,       ///< no option holds code
  shell,      ///< clusters of letters after - or +
  letters,    ///< clusters of letters after -
  perl,       ///< the same; after some letters, values of many shapes
  ruby,       ///< the same
  getopt,     ///< the same, and long options may be abbreviated
  words,      ///< whole words
  powershell, ///< abbreviated words, any case, after - or /
  cmd,        ///< letters after /, any case
};

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 9> spelling_names{"none",   "shell", "letters",    "perl", "ruby",
                                                                "getopt", "words", "powershell", "cmd"};
/// Returns: the name of the enumerator.
[[nodiscard]] constexpr std::string_view name(spelling s) { return spelling_names[static_cast<std::size_t>(s)]; }

/// One-letter options are lists of letters, long ones lists of words.
struct interpreter {
  std::string_view name;                     ///< of the program
  guard::spelling spelling = spelling::none; ///< how its options are spelled
  std::string_view code{};                   ///< letters that take code
  std::string_view value{};                  ///< letters that take another value, in the same word or the next one
  std::string_view code_words{};             ///< long options that take code; for `words` with their dashes
  std::string_view value_words{};            ///< long options that take another value
  std::string_view last{};                   ///< letters that end the options
};

namespace detail {
// bash(1): long options, also allowed after one dash, which is no cluster then.
inline constexpr std::string_view bash_words = "rcfile init-file";
inline constexpr std::string_view node_code = "-e -p -pe --eval --print";
} // namespace detail

// Sources: the manuals bash(1), dash(1), zshall(1), mksh(1), tcsh(1), fish(1), python(1), node(1), perlrun(1), ruby(1),
// lua(1), php(1); `deno --help`, `bun --help`; Rscript(1). csh, ksh, tclsh likewise.
/// The interpreters that are known.
inline constexpr std::array<interpreter, 25> known_interpreters{{
    {"sh", spelling::shell, "c", "oO", "", detail::bash_words},
    {"bash", spelling::shell, "c", "oO", "", detail::bash_words},
    {"dash", spelling::shell, "c", "o"},
    {"ash", spelling::shell, "c", "o"},
    {"zsh", spelling::shell, "c", "o", "", "emulate"},
    {"ksh", spelling::shell, "c", "o"},
    {"mksh", spelling::shell, "c", "oT"},
    {"csh", spelling::shell, "c"},
    {"tcsh", spelling::shell, "c"},
    {"fish", spelling::getopt, "cC", "dDfop", "command init-command",
     "debug debug-output debug-stack-frames features profile profile-startup"},
    {"python", spelling::letters, "c", "WX", "", "check-hash-based-pycs", "m"},
    {"pypy", spelling::letters, "c", "WX", "", "check-hash-based-pycs jit", "m"},
    {"node", spelling::words, "", "", detail::node_code,
     "-r --require --import -C --conditions --loader --experimental-loader --env-file --env-file-if-exists "
     "--input-type "
     "--icu-data-dir --title --redirect-warnings --diagnostic-dir --openssl-config --test-reporter "
     "--test-reporter-destination --test-name-pattern --watch-path --trace-event-categories"},
    {"nodejs", spelling::words, "", "", detail::node_code, "-r --require --import -C --conditions --loader"},
    {"deno", spelling::words, "", "", detail::node_code, "-L --log-level"},
    {"bun", spelling::words, "", "", detail::node_code,
     "-r --preload --require --import --cwd --env-file -d --define -l --loader --conditions"},
    {"ruby", spelling::ruby, "e", "rICEX", "", "encoding external-encoding internal-encoding enable disable"},
    {"perl", spelling::perl, "eE", "IMm"},
    {"php", spelling::letters, "rBRE", "cdfFStz", "run process-begin process-code process-end",
     "define docroot file php-ini process-file server zend-extension"},
    {"lua", spelling::letters, "e", "l"},
    {"tclsh"},
    {"Rscript", spelling::letters, "e", "g"},
    {"powershell", spelling::powershell},
    {"pwsh", spelling::powershell},
    {"cmd", spelling::cmd},
}};

/// Index in `known_interpreters`, or the table's size if unknown. A version or `.exe` may follow the name; otherwise
/// the whole name must match.
[[nodiscard]] constexpr std::size_t interpreter_of(std::string_view program) {
  const program_name name = without_version(program_name_of(program));
  std::size_t i = 0;
  while (i != known_interpreters.size() && !name.is(known_interpreters[i].name)) ++i;
  return i;
}

/// Is the program an interpreter, by the name of its file?
[[nodiscard]] constexpr bool is_interpreter(std::string_view program) {
  return interpreter_of(program) != known_interpreters.size();
}

} // namespace cordon::guard
