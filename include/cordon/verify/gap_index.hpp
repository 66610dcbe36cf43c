// SPDX-License-Identifier: BSL-1.0
/// An index of the gaps of a plan by place, for callers that look up many places.
#pragma once

#include "../gap/plan.hpp"
#include "../policy/path.hpp"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace cordon::verifying {

/// Immutable after construction. The plan's gaps must outlive it.
template <class Gaps> class gap_index {
public:
  /// Sorts the gaps by place. O(n log n).
  explicit gap_index(const Gaps& gaps) : gaps_(gaps) {
    for (std::uint32_t i = 0; i < gaps.size(); ++i) by_place_[gaps[i].place].push_back(i);
  }

  /// Does the plan have a gap of that type at that place, or of that type without a place? O(gaps there).
  [[nodiscard]] bool has(std::string_view what, std::string_view place = {}) const {
    return has_at(what, place) || (!place.empty() && has_at(what, {}));
  }
  /// Has the plan a gap of that type at the place, or one without a place? O(gaps there).
  [[nodiscard]] bool has(const gap_type& t, std::string_view place = {}) const { return has(t.id, place); }

  /// Does `f(gap)` return true for a gap that has no place, or whose place covers this path? O(depth + gaps there).
  template <class F> [[nodiscard]] bool any_above(std::string_view place, F&& f) const {
    if (any_at({}, f)) return true;
    for (;; place = path::parent(place)) {
      if (any_at(place, f)) return true;
      if (place == "/") return false;
    }
  }

private:
  template <class F> [[nodiscard]] bool any_at(std::string_view place, F&& f) const {
    const auto found = by_place_.find(place);
    if (found == by_place_.end()) return false;
    for (const std::uint32_t i : found->second)
      if (f(gaps_[i])) return true;
    return false;
  }
  [[nodiscard]] bool has_at(std::string_view what, std::string_view place) const {
    return any_at(place, [&](const gap& g) { return g.what == what; });
  }

  const Gaps& gaps_;
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> by_place_;
};

} // namespace cordon::verifying
