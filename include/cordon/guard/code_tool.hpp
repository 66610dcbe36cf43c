// SPDX-License-Identifier: BSL-1.0
/// Programs that are not interpreters but take commands on their command line: `git -c alias.x=!cmd`, `flock -c CMD`,
/// `awk 'BEGIN { system("cmd") }'`. One row for each form; a new form is a new row.
#pragma once

#include "../detail/ascii.hpp"
#include "wrapper.hpp"

namespace cordon::guard {

/// Options are as in `wrapper`. A text counts as commands if `marks` is empty or it contains one of them. Blanks and
/// letter case are ignored; a mark after ^ must be at the beginning.
struct code_tool {
  std::string_view names;
  std::string_view command; ///< the first operands
  std::string_view letters; ///< one-letter options that take commands
  std::string_view options; ///< long ones, after one dash or two
  std::string_view marks;
  std::string_view others{};  ///< one-letter options with another value
  bool operands = false;      ///< operands are commands too
  std::string_view instead{}; ///< options with which operands are not commands
  char prefix = 0;            ///< operands that begin with this character are commands
};

// Sources: the manuals of each program in Debian 12.
inline constexpr std::array<code_tool, 24> code_tools{{
    {"awk gawk mawk nawk", "", "e", "source", R"~(system( |& |getline |"sh |"bash |"/bin)~", "Fvfilo", true,
     "-f --file"},
    {"vim vi nvim view ex gvim", "", "c", "cmd", "^! ^:! |! system( terminal job_start ^py ^lua ^perl ^ruby", "SsTuUwW",
     false, "", '+'},
    {"git", "", "c", "", "=! sshcommand= external= textconv= gitproxy=", "C"},
    {"git", "rebase", "x", "exec", "", "CcsX"},
    {"git", "difftool", "x", "extcmd", "", "Cct"},
    {"git", "submodule foreach", "", "", "", "Cc", true},
    {"git", "filter-branch", "", "tree-filter index-filter msg-filter env-filter commit-filter parent-filter setup", "",
     "Cc"},
    {"npm pnpm npx", "", "c", "call", "", "pw"},
    {"flock", "", "c", "command", "", "wE"},
    {"su runuser", "", "c", "command session-command", "", "gGsuw"},
    {"script", "", "c", "command", "", "EIOBTmo"},
    {"watch", "", "", "", "; | & $ ` < > (", "nq", true, "-x --exec"},
    {"parallel", "", "", "", "; | & $ ` < > (", "jnNLIaSPsCEdi", true},
    {"ssh scp sftp", "", "o", "", "^proxycommand ^localcommand ^knownhostscommand", "BbcDEeFIiJLlmOPpQRSWw"},
    {"make gmake", "", "E", "eval", "$(shell !=", "CfIoWjl"},
    {"tar gtar", "", "F", "to-command info-script new-volume-script", "", "bCfgIHKLNTVX"},
    {"tar gtar", "", "", "checkpoint-action", "exec="},
    {"gdb", "", "", "ex iex eval-command init-eval-command", "^shell ^! ^python ^pipe ^make ^|"},
    {"emacs emacsclient", "", "", "eval execute", ""},
    {"sqlite3", "", "", "cmd", ".shell .system |.import", "", true},
    {"psql", "", "c", "command", "\\!", "AdFfhLnoPpRTUv"},
    {"mysql mariadb", "", "e", "execute", "\\! ^system", "DhPSu"},
    {"nix-shell nix", "", "", "run command", ""},
    {"rsync", "", "e", "rsh", "sh-c", "BfMT@"},
}};

namespace detail {

/// True if the text begins with the mark; blanks and letter case of the text are ignored.
[[nodiscard]] constexpr bool stands_at(std::string_view text, std::string_view mark) {
  for (const char c : text) {
    if (has(blanks, c)) continue;
    if (ascii::lower(c) != mark[0]) return false;
    mark.remove_prefix(1);
    if (mark.empty()) return true;
  }
  return false;
}

[[nodiscard]] constexpr bool has_mark(std::string_view text, std::string_view marks) {
  if (marks.empty()) return true;
  return !find_word(marks, [&](std::string_view mark) {
            if (mark.size() > 1 && mark[0] == '^') return stands_at(text, mark.substr(1));
            for (std::size_t i = 0; i < text.size(); ++i)
              if (!has(blanks, text[i]) && stands_at(text.substr(i), mark)) return true;
            return false;
          }).empty();
}

/// A word parsed as an option of such a tool.
struct code_option {
  bool found = false; ///< it is an option with a value
  bool is_code = false;
  bool is_next = false; ///< the value is the next word
  std::string_view value{};
};

[[nodiscard]] constexpr code_option code_option_of(const code_tool& tool, std::string_view word) {
  const long_option o = long_option_of(word.substr(word.starts_with("--") ? 2 : 1));
  if (o.name.size() > 1 && has_word(tool.options, o.name)) return {true, true, !o.has_value, o.value};
  for (std::size_t i = word.starts_with("--") ? word.size() : 1; i < word.size(); ++i)
    if (has(tool.letters, word[i]) || has(tool.others, word[i]))
      return {true, has(tool.letters, word[i]), i + 1 == word.size(), word.substr(i + 1)};
  return {};
}

} // namespace detail

/// Index of the word between the program and `end` that passes it commands, by the given row. Returns: the number of
/// words if there is none. O(size of the words, times the marks).
[[nodiscard]] constexpr std::size_t find_code(const words& w, std::size_t program, std::size_t end,
                                              const code_tool& tool) {
  std::string_view command = tool.command;
  bool operands = tool.operands;
  for (std::size_t i = program + 1; i < end; ++i) {
    const std::string_view text = w[i].text;
    if (is_option(text)) {
      operands = operands && !has_word(tool.instead, text);
      const detail::code_option o = detail::code_option_of(tool, text);
      if (!o.found) continue;
      if (o.is_next && ++i == end) break;
      if (o.is_code && command.empty() && detail::has_mark(o.is_next ? w[i].text : o.value, tool.marks)) return i;
    } else if (!command.empty()) {
      if (text != first_word(command)) break;
      command = behind_first_word(command);
    } else {
      const bool is_code =
          tool.prefix != 0 && text.starts_with(tool.prefix) && detail::has_mark(text.substr(1), tool.marks);
      if (is_code || (operands && detail::has_mark(text, tool.marks))) return i;
    }
  }
  return w.size();
}

/// The same for every row of the program's name.
[[nodiscard]] constexpr std::size_t find_code(const words& w, std::size_t program, std::size_t end) {
  const program_name name = program_name_of(w[program].text);
  for (const code_tool& tool : code_tools) {
    if (find_word(tool.names, [&](std::string_view n) { return name.is(n); }).empty()) continue;
    if (const std::size_t i = find_code(w, program, end, tool); i < w.size()) return i;
  }
  return w.size();
}

} // namespace cordon::guard
