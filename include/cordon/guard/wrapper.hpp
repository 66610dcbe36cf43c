// SPDX-License-Identifier: BSL-1.0
/// Programs whose arguments are a command line that they start. Options as in GNU coreutils 9, findutils 4.9,
/// util-linux 2.38, sudo 1.9, npm 9 and, if they differ, the BSDs. One row for each program; a new program is a new
/// row.
#pragma once

#include "program_name.hpp"
#include "words.hpp"

namespace cordon::guard {

/// A program that starts another one from its arguments.
struct wrapper {
  std::string_view names;      ///< names of the program, with blanks between
  std::string_view letters{};  ///< one-letter options with a value, in the same word or the next one
  std::string_view attached{}; ///< those whose value must be in the same word
  std::string_view options{};  ///< long ones with a value
  std::size_t operands = 0;    ///< number of operands before the program
  std::string_view command{};  ///< the operands that make it start a program: `exec` of npm
  bool assigns = false;        ///< NAME=VALUE may precede the program
  bool leads = false;          ///< an operand may precede the options
  std::string_view markers{};  ///< options that a program follows, up to `;` or `+`
};

/// The wrappers that are known.
inline constexpr std::array<wrapper, 33> wrappers{{
    {"env", "uCaPS", "", "unset chdir argv0 split-string", 0, "", true},
    {"xargs", "adEILnPsJRS", "eil", "arg-file delimiter max-args max-procs max-chars process-slot-var"},
    {"busybox toybox"},
    {"nice", "n", "", "adjustment"},
    {"nohup"},
    {"timeout", "ks", "", "kill-after signal", 1},
    {"setsid"},
    {"stdbuf", "ioe", "", "input output error"},
    {"find gfind", "", "", "", 0, "", false, false, "-exec -execdir -ok -okdir"},
    {"fd fdfind", "", "", "", 0, "", false, false, "-x -X --exec --exec-batch"},
    {"ionice", "cnpPu", "", "class classdata pid pgid uid"},
    {"taskset", "", "", "", 1},
    {"flock", "wE", "", "timeout wait conflict-exit-code", 1},
    {"prlimit", "po", "cdefilmnqrstuvxy", "pid output"},
    {"time gtime", "fo", "", "format output"},
    {"chrt", "TPD", "", "sched-runtime sched-period sched-deadline", 1},
    {"setarch", "", "", "", 0, "", false, true},
    {"linux32 linux64 i386 i486 i586 i686 x86_64 uname26"},
    {"unshare", "SGRw", "",
     "setuid setgid root wd propagation setgroups map-user map-group map-users map-groups monotonic boottime"},
    {"nsenter", "tSG", "", "target setuid setgid"},
    {"watch", "nq", "d", "interval equexit"},
    {"parallel", "jnNLIaSPsCEdi", "",
     "jobs max-args max-replace-args max-lines arg-file sshlogin sshloginfile delimiter colsep joblog results timeout "
     "delay retries tmpdir workdir wd env tagstring load memfree halt profile max-procs max-chars replace"},
    {"sudo", "aCcDghpRrTtUu", "",
     "user group host prompt chdir chroot close-from role type other-user command-timeout auth-type login-class", 0, "",
     true},
    {"doas", "aCu", "", "", 0, "", true},
    {"chroot", "", "", "groups userspec", 1},
    {"setpriv", "", "",
     "ambient-caps inh-caps bounding-set ruid euid reuid rgid egid regid groups securebits pdeathsig selinux-label "
     "apparmor-profile"},
    {"strace ltrace", "abeEIoOpPsSuUX", "", "attach trace output string-limit user columns signal env"},
    {"choom", "np", "", "adjust pid"},
    {"torsocks proxychains proxychains4 ccache sccache distcc unbuffer rlwrap dbus-run-session valgrind tini entr",
     "f"},
    {"npx bunx pnpx", "pcw", "", "package call workspace"},
    {"npm pnpm yarn", "cwp", "", "call workspace package prefix", 0, "exec"},
    {"uv poetry pipenv pdm hatch", "C", "", "directory project python with", 0, "run"},
    {"git", "Cc", "", "git-dir work-tree namespace", 0, "bisect run"},
}};

/// Index in `wrappers`, or the table's size if unknown.
[[nodiscard]] constexpr std::size_t wrapper_of(std::string_view program) {
  const program_name name = program_name_of(program);
  std::size_t i = 0;
  while (i != wrappers.size() && find_word(wrappers[i].names, [&](std::string_view n) { return name.is(n); }).empty())
    ++i;
  return i;
}

/// The option with a value that a word holds.
struct valued_option {
  std::string_view name{};  ///< empty: not found
  bool is_next = false;     ///< the value is the next word
  std::string_view value{}; ///< the value, if the word has it
};

/// Does the word have an option with a value, for that wrapper?
[[nodiscard]] constexpr valued_option valued_option_of(const wrapper& by, std::string_view word) {
  if (word.starts_with("--")) {
    const long_option o = long_option_of(word.substr(2));
    return {completed(by.options, o.name), !o.has_value, o.value};
  }
  for (std::size_t i = 1; i < word.size() && !has(by.attached, word[i]); ++i)
    if (has(by.letters, word[i])) return {word.substr(i, 1), i + 1 == word.size(), word.substr(i + 1)};
  return {};
}

namespace detail {

/// Index of the first word after the options that begin at `i`. Splits the value of `env -S` into words.
[[nodiscard]] constexpr std::size_t behind_options(words& w, const wrapper& by, std::size_t i) {
  const bool env = by.names == "env";
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
  return i < w.size() && w[i].text == "--" ? i + 1 : i;
}

/// Index of the word after the next marker, or the number of words.
[[nodiscard]] constexpr std::size_t behind_marker(const words& w, std::string_view markers, std::size_t i) {
  while (i < w.size() && !has_word(markers, w[i].text)) ++i;
  return i + 1 < w.size() ? i + 1 : w.size();
}

[[nodiscard]] constexpr bool ends_program(std::string_view word) {
  return word == ";" || word == "+" || word.starts_with(":::");
}

} // namespace detail

/// Index of the program that the one at `program` starts first. Splits the value of `env -S` into words. Returns: the
/// number of words if it starts none. O(words).
[[nodiscard]] constexpr std::size_t started_by(words& w, std::size_t program) {
  const std::size_t which = wrapper_of(w[program].text);
  if (which == wrappers.size()) return w.size();
  const wrapper& by = wrappers[which];
  if (!by.markers.empty()) return detail::behind_marker(w, by.markers, program + 1);
  std::size_t i = program + 1;
  if (by.leads && i < w.size() && !is_option(w[i].text)) ++i;
  i = detail::behind_options(w, by, i);
  for (std::string_view command = by.command; !command.empty(); i = detail::behind_options(w, by, i + 1)) {
    if (i >= w.size() || w[i].text != first_word(command)) return w.size();
    command = behind_first_word(command);
  }
  i += by.operands;
  while (by.assigns && i < w.size() && has(w[i].text, '=')) ++i;
  return i < w.size() && !detail::ends_program(w[i].text) && !is_option(w[i].text) ? i : w.size();
}

/// The programs of a command line in the order in which they start each other. At most `most`, which bounds the time
/// for `flock flock flock ...`.
class program_walk {
public:
  static constexpr std::size_t most = 64; ///< programs of one command line; the walk visits no more

  constexpr explicit program_walk(words& w) : w_(w) {} ///< Starts at the first word.

  /// Index of the current program; the number of words after the last one.
  [[nodiscard]] constexpr std::size_t at() const { return at_; }
  [[nodiscard]] constexpr bool is_over() const { return at_ >= w_.size(); } ///< Has it reached the end?
  /// Index of the first word after the current program's arguments: for `find -exec`, the `;`.
  [[nodiscard]] constexpr std::size_t end() const {
    if (markers_.empty()) return w_.size();
    std::size_t i = at_;
    while (i < w_.size() && !detail::ends_program(w_[i].text)) ++i;
    return i;
  }
  /// True if the command line has more than `most` programs: the walk has then not visited all of them.
  [[nodiscard]] constexpr bool is_cut() const { return count_ > most; }
  /// Goes to the program that the current one starts.
  constexpr void go_on() {
    if (++count_ > most) at_ = w_.size();
    if (is_cut()) return;
    const std::size_t which = wrapper_of(w_[at_].text);
    if (which != wrappers.size() && !wrappers[which].markers.empty()) markers_ = wrappers[which].markers;
    const std::size_t started = started_by(w_, at_);
    const bool is_last = started >= w_.size() && !markers_.empty();
    at_ = is_last ? detail::behind_marker(w_, markers_, at_ + 1) : started;
  }

private:
  words& w_;
  std::size_t at_ = 0, count_ = 0;
  std::string_view markers_{};
};

} // namespace cordon::guard
