// SPDX-License-Identifier: BSL-1.0
#include "cordon/backend/seccomp/number_set.hpp"

#include "holds.hpp"

#include <random>

using namespace cordon::seccomp;

namespace {

constexpr number_set some(std::initializer_list<std::uint32_t> numbers) {
  number_set set;
  for (const std::uint32_t number : numbers) set.insert(number);
  return set;
}

} // namespace

TEST_CASE("a set has what was put in") {
  constexpr number_set set = some({0, 63, 64, 1023});
  HOLDS(set.has(0) && set.has(63) && set.has(64) && set.has(1023));
  HOLDS(!set.has(1) && !set.has(62) && !set.has(65) && !set.has(1022));
  HOLDS(!set.has(1024) && !set.has(0xFFFFFFFF));
  HOLDS(some({1, 2}) == some({2, 1, 2}));
}

TEST_CASE("a number that is too large is told, not dropped in silence") {
  HOLDS([] { return !number_set{}.insert(number_set::limit); }());
  HOLDS([] { return number_set{}.insert(number_set::limit - 1); }());
}

TEST_CASE("the next member and the next gap") {
  HOLDS(some({5}).next(0, true) == 5);
  HOLDS(some({5}).next(5, true) == 5);
  HOLDS(some({5}).next(6, true) == number_set::limit);
  HOLDS(some({5}).next(5, false) == 6);
  HOLDS(some({63, 64}).next(63, false) == 65);
  HOLDS(some({0, 700}).next(1, true) == 700);
  HOLDS(some({}).next(1024, true) == number_set::limit);

  std::mt19937 random{7};
  for (int round = 0; round < 50; ++round) {
    number_set set;
    for (std::uint32_t n = 0; n < number_set::limit; ++n)
      if (random() % 50 < static_cast<unsigned>(round)) set.insert(n);
    for (std::uint32_t from = 0; from <= number_set::limit; ++from)
      for (const bool wanted : {false, true}) {
        std::uint32_t expected = from;
        while (expected < number_set::limit && set.has(expected) != wanted) ++expected;
        REQUIRE(set.next(from, wanted) == expected);
      }
  }
}

TEST_CASE("sets of names") {
  HOLDS(numbers_of(arch::x86_64, {"read", "write", "ptrace"}) == some({0, 1, 101}));
  HOLDS(numbers_of(arch::aarch64, {"read", "open", "ptrace"}) == some({63, 117})); // no open there
}
