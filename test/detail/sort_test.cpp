// SPDX-License-Identifier: BSL-1.0
#include "holds.hpp"

#include <cordon/detail/sort.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

namespace detail_sort_test {

namespace {

constexpr auto less = [](int a, int b) { return a < b; };

constexpr bool sorts(auto items, const auto& wanted) {
  cordon::detail::sort(items.data(), static_cast<std::uint32_t>(items.size()), less);
  for (std::size_t i = 0; i < items.size(); ++i)
    if (items[i] != wanted[i]) return false;
  return true;
}

} // namespace

TEST_CASE("sort: small lists") {
  HOLDS(sorts(std::array{2, 1}, std::array{1, 2}));
  HOLDS(sorts(std::array{1}, std::array{1}));
  HOLDS(sorts(std::array{3, 1, 2, 3, 0}, std::array{0, 1, 2, 3, 3}));
  int none = 7;
  cordon::detail::sort(&none, 0, less);
  CHECK(none == 7);
}

TEST_CASE("sort: every order of six, with and without equal ones") {
  for (const std::array<int, 6> start : {std::array{0, 1, 2, 3, 4, 5}, std::array{0, 0, 1, 1, 1, 2}}) {
    auto items = start;
    do CHECK(sorts(items, start));
    while (std::next_permutation(items.begin(), items.end()));
  }
}

TEST_CASE("sort: items that can only be moved are moved") {
  std::vector<std::unique_ptr<int>> items;
  for (const int n : {3, 1, 2, 3, 0}) items.push_back(std::make_unique<int>(n));
  cordon::detail::sort(items.data(), 5, [](const auto& a, const auto& b) { return *a < *b; });
  for (std::size_t i = 0; i < items.size(); ++i) CHECK(*items[i] == std::array{0, 1, 2, 3, 3}[i]);
}

TEST_CASE("sort: no input takes more than n log n comparisons") {
  for (const int shape : {0, 1, 2, 3}) {
    std::vector<int> items;
    for (int i = 0; i < 1 << 14; ++i)
      items.push_back(shape == 0 ? i : shape == 1 ? -i : shape == 2 ? 5 : i * 7919 % 4099);
    std::uint64_t asked = 0;
    cordon::detail::sort(items.data(), 1U << 14, [&](int a, int b) { return ++asked, a < b; });
    CHECK(std::is_sorted(items.begin(), items.end()));
    CHECK(asked <= 2ULL * 14 << 14);
  }
}

} // namespace detail_sort_test
