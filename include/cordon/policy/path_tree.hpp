// SPDX-License-Identifier: BSL-1.0
/// The tree of paths.
#pragma once

#include "path.hpp"
#include "step_function.hpp"

namespace cordon {

/// Sets of rights over the tree of paths.
struct path_tree : bits {
  /// The order of the walk: a directory directly before what is beneath it.
  [[nodiscard]] static constexpr auto order(std::string_view a, std::string_view b) { return path::order(a, b); }
  /// Is the second path the first one or beneath it?
  [[nodiscard]] static constexpr bool covers(std::string_view a, std::string_view b) { return path::covers(a, b); }
};

} // namespace cordon
