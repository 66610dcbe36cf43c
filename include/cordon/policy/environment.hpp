// SPDX-License-Identifier: BSL-1.0
/// The environment axis: each environment variable is absent, set to one value, or passed on from the caller. The
/// environment of a child starts empty; a variable that no entry names is absent.
#pragma once

#include "name.hpp"

namespace cordon {

/// Environment variables that common programs need and that hold no secret.
inline constexpr std::string_view basic_variables[]{"PATH", "HOME", "USER", "LOGNAME",   "SHELL",    "LANG",
                                                    "LC_*", "TZ",   "TERM", "COLORTERM", "NO_COLOR", "CI"};

/// The additional ones on Windows, where a program reads its directories from them.
inline constexpr std::string_view basic_windows_variables[]{"APPDATA",
                                                            "COMMONPROGRAM*",
                                                            "COMSPEC",
                                                            "HOMEDRIVE",
                                                            "HOMEPATH",
                                                            "LOCALAPPDATA",
                                                            "NUMBER_OF_PROCESSORS",
                                                            "OS",
                                                            "PATHEXT",
                                                            "PROCESSOR_*",
                                                            "PROGRAMDATA",
                                                            "PROGRAMFILES*",
                                                            "PROGRAMW6432",
                                                            "SYSTEMDRIVE",
                                                            "TEMP",
                                                            "TMP",
                                                            "USERNAME",
                                                            "USERPROFILE",
                                                            "WINDIR"};

namespace variable {

/// The variable does not pass.
inline constexpr std::uint32_t absent = 0;
/// The variable passes with the caller's content.
inline constexpr std::uint32_t passes = 1;
/// The value of an entry whose payload is a content of `size` bytes.
[[nodiscard]] constexpr std::uint32_t set(std::size_t size) { return static_cast<std::uint32_t>(size) + 2; }
/// Does the policy set the variable?
[[nodiscard]] constexpr bool is_set(std::uint32_t value) { return value >= 2; }

/// Is this a valid name of an environment variable: not empty, no `=`, no NUL?
[[nodiscard]] constexpr bool is_name(std::string_view text) {
  return !text.empty() && text.find('=') == text.npos && text.find('\0') == text.npos;
}

} // namespace variable

/// The order of values is: absent < set to a value < passes.
struct environment_tree : name_tree {
  /// Bytes of text after the name of a slot with that value.
  [[nodiscard]] static constexpr std::uint32_t payload_size(std::uint32_t value) {
    return variable::is_set(value) ? value - 2 : 0;
  }
  /// What both allow about a variable.
  [[nodiscard]] static constexpr entry meet(entry a, entry b) {
    if (within(a, b)) return a;
    if (within(b, a)) return b;
    return {a.place, variable::absent, {}};
  }
  /// The same, passed to `f`.
  template <class F> static constexpr bool meet(entry a, entry b, F&& f) {
    f(meet(a, b));
    return true;
  }
  /// Does the first entry allow no more than the second?
  [[nodiscard]] static constexpr bool within(entry a, entry b) {
    if (a.value == variable::absent || b.value == variable::passes) return true;
    return variable::is_set(a.value) && a.value == b.value && a.payload == b.payload;
  }
};

} // namespace cordon
