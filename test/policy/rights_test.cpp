// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/policy/rights.hpp>

using namespace cordon;

namespace {

/// Do the laws of a meet hold for every three sets of the first `count` rights?
constexpr bool laws_hold(std::uint32_t count) {
  for (std::uint32_t x = 0; x < 1U << count; ++x)
    for (std::uint32_t y = 0; y < 1U << count; ++y) {
      const rights a = rights::from_bits(x), b = rights::from_bits(y);
      if ((a & b) != (b & a) || (a & a) != a || !((a & b) <= a) || (a <= b) != ((a & b) == a)) return false;
      if ((a <= b && b <= a) != (a == b) || ((a - b) & b) != verb::hide || ((a - b) | (a & b)) != a) return false;
      for (std::uint32_t z = 0; z < 1U << count; ++z) {
        const rights c = rights::from_bits(z);
        if (((a & b) & c) != (a & (b & c)) || (c <= a && c <= b) != (c <= (a & b))) return false;
      }
    }
  return true;
}

constexpr std::uint32_t order_of_calls(rights set) {
  std::uint32_t said = 0;
  for_each(set, [&](right r) { said = said * 10 + static_cast<std::uint32_t>(r); });
  return said;
}

} // namespace

TEST_CASE("rights: every right has a name of its own") {
  HOLDS(name(right::read) == "read");
  HOLDS(name(right::attributes) == "attributes");
  HOLDS(name(right::connect) == "connect");
  for (std::size_t i = 0; i < right_names.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) CHECK(right_names[i] != right_names[j]);
}

TEST_CASE("rights: a set has what was put in") {
  HOLDS(rights{}.empty());
  HOLDS(rights(right::run).has(right::run));
  HOLDS(!rights(right::run).has(right::read));
  HOLDS(!rights(right::run).empty());
  HOLDS(rights(right::connect).bits() == 0x80);
  HOLDS(rights::from_bits(rights(right::create).bits()) == rights(right::create));
  HOLDS((right::read | right::write).has(right::write));
  HOLDS(((right::read | right::write) - right::read) == rights(right::write));
  HOLDS(!(rights(right::read) <= right::write));
}

TEST_CASE("rights: the laws hold for all sets") {
  HOLDS(laws_hold(3));
  std::uint32_t seven = 7; // a variable: g++ would spend seconds to prove a constant
  CHECK(laws_hold(seven));
}

TEST_CASE("rights: verbs are the sets of the documents") {
  HOLDS(verb::hide.empty());
  HOLDS(verb::read == (right::read | right::list));
  HOLDS(verb::run == (verb::read | right::run));
  HOLDS(verb::write == verb::everything - right::connect);
  HOLDS(verb::everything.bits() == 0xFF);
}

TEST_CASE("rights: for_each goes in the order of the enumeration") {
  HOLDS(order_of_calls(right::connect | right::list | right::write) == 137);
  HOLDS(order_of_calls({}) == 0);
}
