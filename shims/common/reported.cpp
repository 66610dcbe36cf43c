// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/reported.hpp>

#include <algorithm>
#include <utility>

namespace cordon {

std::string cordon::abi_0::gap_id(std::string_view what, std::string_view place) {
  return std::string(what) + (place.empty() ? "" : ":") + std::string(place);
}

reported_gap cordon::abi_0::gap_of(const gap_type& t, std::string_view subject, std::string why) {
  return {t.kind, gap_id(t.id, subject), std::move(why)};
}

reported_gap cordon::abi_0::gap_of(const gap_type& t, std::string_view subject) {
  return gap_of(t, subject, std::string(t.description));
}

std::vector<std::string> cordon::abi_0::unaccepted_gaps(const std::vector<reported_gap>& gaps,
                                                        const std::vector<std::string>& accepted) {
  std::vector<std::string> left;
  for (const reported_gap& g : gaps)
    if (g.kind == gap_kind::unenforced && std::find(accepted.begin(), accepted.end(), g.id) == accepted.end())
      left.push_back(g.id);
  return left;
}

} // namespace cordon
