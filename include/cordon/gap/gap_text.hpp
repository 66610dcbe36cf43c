// SPDX-License-Identifier: BSL-1.0
/// What each gap means, in words for a person.
#pragma once

#include "../backend/backends.hpp"
#include "../backend/linux.hpp"

namespace cordon {

/// A sentence for the type of a gap, `backend.gap_type`; empty for one that is not known. O(gap types).
[[nodiscard]] constexpr std::string_view gap_text(std::string_view what) {
  std::string_view text;
  const auto look = [&](std::span<const gap_type> gap_types) {
    for (const gap_type& t : gap_types)
      if (t.id == what) text = t.description;
    return text.empty();
  };
  if (look(on_linux::gap_types_alone)) backends::each([&]<class Backend>() { return look(Backend::gap_types()); });
  return text;
}

} // namespace cordon
