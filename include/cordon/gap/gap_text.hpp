// SPDX-License-Identifier: BSL-1.0
/// What each gap means, in words for a person.
#pragma once

#include "../backend/backends.hpp"
#include "../backend/linux.hpp"

namespace cordon {

/// A sentence for the topic of a gap, `backend.topic`; empty for one that is not known. O(topics).
[[nodiscard]] constexpr std::string_view gap_text(std::string_view what) {
  std::string_view text;
  const auto look = [&](std::span<const topic> topics) {
    for (const topic& t : topics)
      if (t.what == what) text = t.text;
    return text.empty();
  };
  if (look(on_linux::topics_alone)) backends::each([&]<class Backend>() { return look(Backend::topics()); });
  return text;
}

} // namespace cordon
