// SPDX-License-Identifier: BSL-1.0
/// Golden files: texts that were looked at once and must stay so. With CORDON_UPDATE_GOLDEN=1 they are written anew,
/// and the difference in the repository says which meaning has changed.
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
