// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/policy/rights.hpp>

namespace policy_rights_test {

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

/// The compiler warns of an enumerator that is missing here.
constexpr std::string_view expected_name(right r) {
  switch (r) {
  case right::read: return "read";
  case right::list: return "list";
  case right::run: return "run";
  case right::write: return "write";
  case right::create: return "create";
  case right::remove: return "remove";
  case right::attributes: return "attributes";
  case right::connect: return "connect";
  }
  return "";
}

constexpr std::uint32_t order_of_calls(rights set) {
  std::uint32_t said = 0;
  for_each(set, [&](right r) { said = said * 10 + static_cast<std::uint32_t>(r); });
  return said;
}

} // namespace

TEST_CASE("rights: every right has a row, and every row a right") {
  for (std::size_t i = 0; i < right_names.size(); ++i) CHECK(right_names[i] == expected_name(static_cast<right>(i)));
  // An enumerator without a row is the first number behind the table.
  CHECK(expected_name(static_cast<right>(right_names.size())).empty());
}

TEST_CASE("rights: a set ignores bits of no right") {
  HOLDS(rights::width == right_names.size());
  HOLDS(rights::from_bits(~0U) == verb::everything);
  HOLDS(rights::from_bits(1U << rights::width).empty());
}

TEST_CASE("rights: the verbs have names of their own and different rights") {
  HOLDS(verb_table[0].name == "read" && verb_table[0].allowed == verb::read);
  HOLDS(verb_table[1].name == "run" && verb_table[1].allowed == verb::run);
  HOLDS(verb_table[2].name == "write" && verb_table[2].allowed == verb::write);
  HOLDS(verb_table[3].name == "hide" && verb_table[3].allowed == verb::hide);
  HOLDS(verb_names.size() == 4);
}

TEST_CASE("rights: every right has a name of its own") {
  HOLDS(name(right::read) == "read");
  HOLDS(name(right::attributes) == "attributes");
  HOLDS(name(right::connect) == "connect");
  for (std::size_t i = 0; i < right_names.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) CHECK(right_names[i] != right_names[j]);
}

TEST_CASE("rights: a set has the rights that were added") {
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

TEST_CASE("rights: each verb is the set that documents define") {
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

} // namespace policy_rights_test
