// SPDX-License-Identifier: BSL-1.0
/// Converts the gaps of a plan into those of a report.
#pragma once

#include <cordon/gap/plan.hpp>
#include <cordon/run/reported.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::shim {

/// Returns: `cordon::gap_text` of a gap type. A function of its own: the text is in the headers of all backends.
[[nodiscard]] std::string sentence_of_gap(std::string_view what);

template <class Gaps> void append_gaps(std::vector<reported_gap>& to, const Gaps& gaps) {
  for (std::uint32_t i = 0; i < gaps.size(); ++i) {
    const gap g = gaps[i];
    to.push_back({g.kind, gap_id(g.what, g.place), sentence_of_gap(g.what)});
  }
}

} // namespace cordon::shim
