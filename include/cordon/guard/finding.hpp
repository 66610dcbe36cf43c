// SPDX-License-Identifier: BSL-1.0
/// The guard's result for a command line.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon {

/// In the order of the checks: the first that fails decides.
enum class guard_code : std::uint8_t {
  ok,
  executable_refused,
  interpreter_refused,
  inline_code_refused,
  path_leaves_workspace,
  host_refused,
};

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 6> guard_code_names{
    "ok", "executable_refused", "interpreter_refused", "inline_code_refused", "path_leaves_workspace", "host_refused",
};
/// Returns: the name of the code, as in reports.
[[nodiscard]] constexpr std::string_view name(guard_code c) { return guard_code_names[static_cast<std::size_t>(c)]; }

/// A finding; `argument` is the index in the command line.
struct guard_finding {
  guard_code code = guard_code::ok; ///< the first check that failed
  std::size_t argument = 0;         ///< index in the command line

  [[nodiscard]] constexpr bool refused() const { return code != guard_code::ok; } ///< Did a check fail?
  /// A sentence about the code, for a person.
  [[nodiscard]] constexpr std::string_view why() const {
    switch (code) {
    case guard_code::ok: return "nothing to object";
    case guard_code::executable_refused: return "the program is not among the executables of the policy";
    case guard_code::interpreter_refused: return "the program is an interpreter, and the policy lets none be started";
    case guard_code::inline_code_refused: return "an interpreter gets its code on the command line; put it into a file";
    case guard_code::path_leaves_workspace: return "the argument is a path for which the policy grants nothing";
    case guard_code::host_refused: return "the argument names a host that the policy does not allow";
    }
    return {};
  }
};

} // namespace cordon
