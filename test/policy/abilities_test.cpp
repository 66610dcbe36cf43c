// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/policy/abilities.hpp>

namespace policy_abilities_test {

using namespace cordon;

namespace {

constexpr abilities all_named() { return abilities::from_bits((1U << ability_names.size()) - 1); }

constexpr bool laws_hold() {
  const abilities sets[]{{}, ability::spawn, ability::trace, abilities(ability::spawn) | ability::trace, all_named()};
  for (const auto a : sets)
    for (const auto b : sets) {
      if ((a & b) != (b & a) || (a & a) != a || (a <= b) != ((a & b) == a)) return false;
      for (const auto c : sets)
        if (((a & b) & c) != (a & (b & c)) || (c <= a && c <= b) != (c <= (a & b))) return false;
    }
  return true;
}

} // namespace

TEST_CASE("abilities: every ability has a name of its own") {
  HOLDS(name(ability::spawn) == "spawn");
  HOLDS(name(ability::reboot) == "reboot");
  for (std::size_t i = 0; i < ability_names.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) CHECK(ability_names[i] != ability_names[j]);
}

TEST_CASE("abilities: a set has the abilities that were added") {
  HOLDS(abilities().empty());
  HOLDS(abilities(ability::clock).has(ability::clock));
  HOLDS(!abilities(ability::clock).has(ability::reboot));
  HOLDS((abilities(ability::clock) | ability::bpf).has(ability::bpf));
  HOLDS(abilities(ability::trace).bits() == 2);
}

TEST_CASE("abilities: any has every named ability") {
  HOLDS(abilities::any().is_any());
  HOLDS(all_named() == abilities::any());
  HOLDS(abilities::any().bits() == (1U << ability_names.size()) - 1);
  HOLDS(abilities::from_bits(0xFFFFFFFF) == abilities::any());
  for (std::size_t i = 0; i < ability_names.size(); ++i) CHECK(abilities::any().has(static_cast<ability>(i)));
  HOLDS(!(abilities(ability::spawn) | ability::trace).is_any());
}

TEST_CASE("abilities: a word is the name of one, or debug for what debuggers need") {
  constexpr auto read = [](std::string_view word) {
    abilities a;
    return from_word(word, a) ? a : abilities();
  };
  for (std::size_t i = 0; i < ability_names.size(); ++i) CHECK(read(ability_names[i]) == static_cast<ability>(i));
  HOLDS(read("debug") == (abilities(ability::spawn) | ability::trace));
  HOLDS(read("").empty());
  HOLDS(read("any").empty());
  HOLDS(read("Debug").empty());
}

TEST_CASE("abilities: the laws of a meet hold") { HOLDS(laws_hold()); }

} // namespace policy_abilities_test
