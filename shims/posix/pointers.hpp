// SPDX-License-Identifier: BSL-1.0
/// Texts in the form of execve(2).
#pragma once

#include <string>
#include <vector>

namespace cordon::shim {

/// Returns: a pointer to each text, and a null pointer at the end. Valid until the texts change.
[[nodiscard]] inline std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> all;
  all.reserve(texts.size() + 1);
  for (std::string& t : texts) all.push_back(t.data());
  all.push_back(nullptr);
  return all;
}

} // namespace cordon::shim
