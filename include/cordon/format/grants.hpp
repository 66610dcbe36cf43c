// SPDX-License-Identifier: BSL-1.0
/// Lists of grants in the tree's order: a path before the paths beneath it.
#pragma once

#include "document.hpp"

#include <algorithm>
#include <iterator>

namespace cordon::format::detail {

inline bool before(const grant& a, const grant& b) { return path::order(a.place, b.place) < 0; }

/// Eight bytes of a path as a number that sorts in the tree's order: the end of the path first, then a slash, then the
/// other bytes.
inline std::uint64_t key(std::string_view place, std::size_t from) {
  std::uint64_t number = 0;
  for (std::size_t i = from; i < from + 8; ++i) {
    const std::uint64_t c = i < place.size() ? static_cast<unsigned char>(place[i]) : 0;
    number = number << 8 | (c == '/' ? 1 : c != 0 && c < '/' ? c + 1 : c);
  }
  return number;
}

/// The number of bytes that all paths begin with.
inline std::size_t common_start(const std::vector<grant>& grants) {
  const std::string_view first = grants.front().place;
  std::size_t size = first.size();
  for (const grant& g : grants) {
    const auto differ = std::mismatch(
        first.begin(), first.begin() + static_cast<std::ptrdiff_t>(std::min(size, g.place.size())), g.place.begin());
    size = static_cast<std::size_t>(differ.first - first.begin());
  }
  return size;
}

/// Sorts grants. O(n log n). Sixteen bytes of each path are kept beside its index: with 100 000 paths, following a
/// pointer for every comparison takes most of the time of loading a policy.
inline void sort(std::vector<grant>& grants) {
  if (std::is_sorted(grants.begin(), grants.end(), before)) return;
  struct item {
    std::uint64_t first, second;
    std::size_t at;
  };
  const std::size_t from = common_start(grants);
  std::vector<item> items;
  items.reserve(grants.size());
  for (const grant& g : grants) items.push_back({key(g.place, from), key(g.place, from + 8), items.size()});
  std::sort(items.begin(), items.end(), [&](const item& a, const item& b) {
    if (a.first != b.first) return a.first < b.first;
    if (a.second != b.second) return a.second < b.second;
    return before(grants[a.at], grants[b.at]);
  });
  std::vector<grant> sorted;
  sorted.reserve(grants.size());
  for (const item& i : items) sorted.push_back(std::move(grants[i.at]));
  grants = std::move(sorted);
}

/// Adds to sorted grants those whose path they do not have. The list stays sorted.
inline void add_missing(std::vector<grant>& to, std::vector<grant> from) {
  sort(from);
  // Two presets may name the same path: it gets the rights of both.
  std::vector<grant> merged;
  for (grant& g : from)
    if (!merged.empty() && merged.back().place == g.place) merged.back().allowed = merged.back().allowed | g.allowed;
    else merged.push_back(std::move(g));
  std::vector<grant> all;
  all.reserve(to.size() + merged.size());
  auto own = to.begin();
  for (grant& g : merged) {
    while (own != to.end() && before(*own, g)) all.push_back(std::move(*own++));
    if (own == to.end() || own->place != g.place) all.push_back(std::move(g));
  }
  all.insert(all.end(), std::make_move_iterator(own), std::make_move_iterator(to.end()));
  to = std::move(all);
}

/// The most specific of sorted grants that covers the path; null if none does.
inline const grant* covering(const std::vector<grant>& grants, std::string_view place) {
  const grant* best = nullptr;
  for (const grant& g : grants)
    if (path::covers(g.place, place)) best = &g;
  return best;
}

/// The rights of two sorted lists at a path. If both name the same path, `above` wins.
inline rights at(const std::vector<grant>& above, const std::vector<grant>& below, std::string_view place) {
  const grant *a = covering(above, place), *b = covering(below, place);
  const grant* const best = a == nullptr || (b != nullptr && b->place.size() > a->place.size()) ? b : a;
  return best == nullptr ? rights{} : best->allowed;
}

} // namespace cordon::format::detail
