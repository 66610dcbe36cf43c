// SPDX-License-Identifier: BSL-1.0
#include "holds.hpp"

#include <cordon/detail/partition_point.hpp>

#include <cstdint>
#include <initializer_list>
#include <limits>

namespace detail_partition_point_test {

namespace {

constexpr std::uint32_t first_that_is_not_below(std::uint32_t count, std::uint32_t bound) {
  return cordon::detail::partition_point(count, [&](std::uint32_t i) { return i < bound; });
}

} // namespace

TEST_CASE("partition_point: none, one and two indices") {
  HOLDS(first_that_is_not_below(0, 0) == 0);
  HOLDS(first_that_is_not_below(1, 0) == 0);
  HOLDS(first_that_is_not_below(1, 1) == 1);
  HOLDS(first_that_is_not_below(2, 0) == 0);
  HOLDS(first_that_is_not_below(2, 1) == 1);
  HOLDS(first_that_is_not_below(2, 2) == 2);
}

TEST_CASE("partition_point: every boundary in lists of up to 40") {
  for (std::uint32_t count = 0; count <= 40; ++count)
    for (std::uint32_t bound = 0; bound <= count; ++bound) CHECK(first_that_is_not_below(count, bound) == bound);
}

TEST_CASE("partition_point: as many indices as the type has, and at most 32 calls") {
  constexpr auto most = std::numeric_limits<std::uint32_t>::max();
  for (const std::uint32_t bound : {0U, 1U, most / 2, most - 1, most}) {
    int calls = 0;
    const auto found = cordon::detail::partition_point(most, [&](std::uint32_t i) { return ++calls, i < bound; });
    CHECK(found == bound);
    CHECK(calls <= 32);
  }
}

} // namespace detail_partition_point_test
