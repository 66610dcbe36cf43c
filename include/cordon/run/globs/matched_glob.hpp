// SPDX-License-Identifier: BSL-1.0
/// A glob pattern of a loaded policy.
#pragma once

#include <cstddef>
#include <string>

namespace cordon {

/// Loading has replaced the pattern by the paths that matched it.
struct matched_glob {
  std::string pattern;    ///< as written, without `glob:`
  std::size_t places = 0; ///< number of paths that matched
};

} // namespace cordon
