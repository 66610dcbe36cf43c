// SPDX-License-Identifier: BSL-1.0
#include "holds.hpp"

#include <cordon/abilities.hpp>

using namespace cordon;

namespace {

constexpr abilities all_named() { return abilities::from_bits((1U << ability_names.size()) - 1); }

constexpr bool laws_hold() {
  const abilities sets[]{{},          ability::spawn,  ability::trace, abilities(ability::spawn) | ability::trace,
                         all_named(), abilities::any()};
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

TEST_CASE("abilities: a set has what was named") {
  HOLDS(abilities().empty());
  HOLDS(abilities(ability::clock).has(ability::clock));
  HOLDS(!abilities(ability::clock).has(ability::reboot));
  HOLDS((abilities(ability::clock) | ability::bpf).has(ability::bpf));
  HOLDS(abilities(ability::trace).named() == 2);
}

TEST_CASE("abilities: any is more than all of them named, and names none") {
  HOLDS(abilities::any().is_any());
  HOLDS(abilities::any().has(ability::modules));
  HOLDS(abilities::any().named() == 0);
  HOLDS(!all_named().is_any());
  HOLDS(all_named().named() == (1U << ability_names.size()) - 1);
  HOLDS(all_named() <= abilities::any());
  HOLDS(!(abilities::any() <= all_named()));
  HOLDS((abilities::any() & all_named()) == all_named());
}

TEST_CASE("abilities: the laws of a meet hold") { HOLDS(laws_hold()); }
