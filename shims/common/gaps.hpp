// SPDX-License-Identifier: BSL-1.0
/// Converts the gaps of a plan into those of a report.
#pragma once

#include <cordon/gap/gap_text.hpp>
#include <cordon/run/reported.hpp>

namespace cordon::shim {

template <class Gaps> void append_gaps(std::vector<reported_gap>& to, const Gaps& gaps) {
  for (std::uint32_t i = 0; i < gaps.size(); ++i) {
    const gap g = gaps[i];
    std::string id(g.what);
    if (!g.place.empty()) id += ":" + std::string(g.place);
    to.push_back({g.kind, std::move(id), std::string(gap_text(g.what))});
  }
}

} // namespace cordon::shim
