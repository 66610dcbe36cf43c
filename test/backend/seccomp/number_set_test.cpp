// SPDX-License-Identifier: BSL-1.0
#include "cordon/backend/seccomp/number_set.hpp"

#include "holds.hpp"

namespace seccomp_number_set_test {

using namespace cordon::seccomp;

namespace {

constexpr number_set some(std::initializer_list<std::uint32_t> numbers) {
  number_set set;
  for (const std::uint32_t number : numbers) set.insert(number);
  return set;
}

} // namespace

TEST_CASE("seccomp number_set: a set has the numbers that were added") {
  constexpr number_set set = some({0, 63, 64, 511});
  HOLDS(set.has(0) && set.has(63) && set.has(64) && set.has(511));
  HOLDS(!set.has(1) && !set.has(62) && !set.has(65) && !set.has(510));
  HOLDS(!set.has(512) && !set.has(0xFFFFFFFF));
  HOLDS(some({1, 2}) == some({2, 1, 2}));
}

TEST_CASE("seccomp number_set: insert returns false for a number that is too large") {
  HOLDS([] { return !number_set{}.insert(number_set::limit); }());
  HOLDS([] { return number_set{}.insert(number_set::limit - 1); }());
}

TEST_CASE("seccomp number_set: numbers_of maps names to the numbers of a machine") {
  HOLDS(numbers_of(arch::x86_64, {"read", "write", "ptrace"}) == some({0, 1, 101}));
  HOLDS(numbers_of(arch::aarch64, {"read", "open", "ptrace"}) == some({63, 117})); // aarch64 has no open
}

} // namespace seccomp_number_set_test
