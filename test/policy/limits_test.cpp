// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/policy/limits.hpp>

using namespace cordon;

namespace {

constexpr limits some(std::uint64_t memory, std::uint64_t timeout) {
  return limits().set(limit::memory, memory).set(limit::timeout, timeout);
}

constexpr bool laws_hold() {
  const std::uint64_t values[]{1, 2, limits::greatest, limits::unlimited};
  for (const auto x : values)
    for (const auto y : values)
      for (const auto z : values) {
        const limits a = some(x, y), b = some(y, z), c = some(z, x);
        if ((a & b) != (b & a) || (a & a) != a || ((a & b) & c) != (a & (b & c))) return false;
        if ((a <= b) != (x <= y && y <= z) || (a <= b) != ((a & b) == a)) return false;
        if ((c <= a && c <= b) != (c <= (a & b))) return false;
        if ((a & limits()) != a || (a & limits::least()) != limits::least()) return false;
      }
  return true;
}

} // namespace

TEST_CASE("limits: every limit has a name and one kind of text") {
  HOLDS(name(limit::open_files) == "open_files");
  for (std::size_t i = 0; i < limit_names.size(); ++i) {
    const auto l = static_cast<limit>(i);
    CHECK(!(is_duration(l) && is_count(l)));
    for (std::size_t j = 0; j < i; ++j) CHECK(limit_names[i] != limit_names[j]);
  }
  HOLDS(is_duration(limit::timeout) && is_duration(limit::cpu));
  HOLDS(is_count(limit::processes) && is_count(limit::open_files));
  HOLDS(!is_duration(limit::memory) && !is_count(limit::output));
}

TEST_CASE("limits: left out is no limit, and one does not touch another") {
  HOLDS(!limits().has(limit::memory));
  HOLDS(limits()[limit::memory] == limits::unlimited);
  HOLDS(some(5, 7)[limit::memory] == 5);
  HOLDS(some(5, 7)[limit::timeout] == 7);
  HOLDS(some(5, 7).has(limit::timeout));
  HOLDS(!some(5, 7).has(limit::cpu));
  HOLDS(limits::least()[limit::output] == 1);
}

TEST_CASE("limits: the meet is the minimum, limit by limit") {
  HOLDS(laws_hold());
  HOLDS((some(5, limits::unlimited) & some(limits::unlimited, 7)) == some(5, 7));
  HOLDS(!(some(5, 7) <= some(5, 6)));
  HOLDS(some(4, 6) <= some(5, 6));
  HOLDS(!(some(4, 7) <= some(5, 6)));
  HOLDS(some(5, 7) != some(5, 8));
}
