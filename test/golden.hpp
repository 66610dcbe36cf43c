// SPDX-License-Identifier: BSL-1.0
/// Golden files: texts that were reviewed once and must not change. CORDON_UPDATE_GOLDEN=1 rewrites them, and the
/// difference in the repository shows which meaning has changed.
#pragma once

#include "vectors.hpp"

namespace golden {

/// Is the text that of the file test/golden/NAME?
inline bool matches(const std::string& name, const std::string& text) {
  const std::string file = vectors::folder() + "/../golden/" + name;
  if (const char* const update = std::getenv("CORDON_UPDATE_GOLDEN"); update != nullptr && *update == '1')
    std::ofstream(file, std::ios::binary) << text;
  return vectors::content_of(file) == text;
}

} // namespace golden
