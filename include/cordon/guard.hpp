// SPDX-License-Identifier: BSL-1.0
/// The guard: an advisory look at a command line before the start. It is never the boundary and never changes an
/// argument.
#pragma once

#include "policy.hpp"

#include <span>

namespace cordon {

enum class guard_code : std::uint8_t { ok, executable_refused, interpreter_refused };

inline constexpr std::array<std::string_view, 3> guard_code_names{"ok", "executable_refused", "interpreter_refused"};
[[nodiscard]] constexpr std::string_view name(guard_code c) { return guard_code_names[static_cast<std::size_t>(c)]; }

/// What a finding means; `argument` is the index in the command line.
struct guard_finding {
  guard_code code = guard_code::ok;
  std::size_t argument = 0;

  [[nodiscard]] constexpr bool refused() const { return code != guard_code::ok; }
  [[nodiscard]] constexpr std::string_view why() const {
    switch (code) {
    case guard_code::ok: return "nothing to object";
    case guard_code::executable_refused: return "the program is not among the executables of the policy";
    case guard_code::interpreter_refused: return "the program is an interpreter, and the policy lets none be started";
    }
    return {};
  }
};

namespace guard {

inline constexpr std::string_view interpreters[]{
    "sh",     "bash", "dash", "ash",  "zsh",  "ksh", "mksh", "csh",   "tcsh",    "fish",       "python", "pypy", "node",
    "nodejs", "deno", "bun",  "ruby", "perl", "php", "lua",  "tclsh", "Rscript", "powershell", "pwsh",   "cmd"};

/// A shell or language runtime by its file name, with a version or `.exe` behind it. The whole name must fit.
[[nodiscard]] constexpr bool is_interpreter(std::string_view program) {
  if (const std::size_t slash = program.rfind('/'); slash != program.npos) program.remove_prefix(slash + 1);
  if (program.ends_with(".exe")) program.remove_suffix(4);
  while (!program.empty() && ((program.back() >= '0' && program.back() <= '9') || program.back() == '.'))
    program.remove_suffix(1);
  for (const std::string_view i : interpreters)
    if (program == i) return true;
  return false;
}

} // namespace guard

/// The first check that fails decides: is the program in the list (a name allows that name looked up in PATH, a program
/// given with a slash must be listed as that path), and may interpreters run.
template <class S>
[[nodiscard]] constexpr guard_finding check_guard(const basic_policy<S>& p, std::span<const std::string_view> argv) {
  if (argv.empty()) return {};
  if (p.executables().value(argv[0]) == 0) return {guard_code::executable_refused, 0};
  if (!p.interpreters && guard::is_interpreter(argv[0])) return {guard_code::interpreter_refused, 0};
  return {};
}

} // namespace cordon
