// SPDX-License-Identifier: BSL-1.0
/// The gaps of a plan by their places, for whoever asks about many places.
#pragma once

#include "../gap/plan.hpp"
#include "../policy/path.hpp"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace cordon::verifying {

/// Built once, then read. The plan's gaps must live as long.
template <class Gaps> class gap_index {
public:
  explicit gap_index(const Gaps& gaps) : gaps_(gaps) {
    for (std::uint32_t i = 0; i < gaps.size(); ++i) by_place_[gaps[i].place].push_back(i);
  }

  /// The gap of that type at that place, or of that type everywhere. O(gaps there).
  [[nodiscard]] bool has(std::string_view what, std::string_view place = {}) const {
    return has_at(what, place) || (!place.empty() && has_at(what, {}));
  }

  /// Is there a gap for which `f(gap)` is true, without a place or at one that covers this one? O(depth + gaps there).
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
