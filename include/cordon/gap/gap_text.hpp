// SPDX-License-Identifier: BSL-1.0
/// A description of each gap for users.
#pragma once

#include "../backend/backends.hpp"
#include "run_gap_types.hpp"

namespace cordon {

/// Returns: a sentence for a gap type `backend.gap_type`; empty if the type is unknown. O(gap types).
[[nodiscard]] constexpr std::string_view gap_text(std::string_view what) {
  std::string_view text;
  const auto look = [&](std::span<const gap_type> gap_types) {
    for (const gap_type& t : gap_types)
      if (t.id == what) text = t.description;
    return text.empty();
  };
  if (look(run_gap_types)) backends::each([&]<class Backend>() { return look(Backend::gap_types()); });
  return text;
}

} // namespace cordon
