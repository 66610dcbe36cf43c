// SPDX-License-Identifier: BSL-1.0
/// A variable that a tool documents, and the value that a run gives it.
#pragma once

#include <string_view>

namespace cordon {

/// A variable that a run sets for a tool.
struct tool_variable {
  std::string_view name;  ///< of the variable
  std::string_view value; ///< what it is set to
};

} // namespace cordon
