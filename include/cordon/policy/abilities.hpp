// SPDX-License-Identifier: BSL-1.0
/// Abilities: privileged operations on the whole machine, which no path describes.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace cordon {

enum class ability : std::uint8_t {
  spawn,
  trace,
  mount,
  namespaces,
  keyring,
  raw_socket,
  bpf,
  perf,
  modules,
  clock,
  reboot,
};

inline constexpr std::array<std::string_view, 11> ability_names{
    "spawn", "trace", "mount", "namespaces", "keyring", "raw_socket", "bpf", "perf", "modules", "clock", "reboot"};

[[nodiscard]] constexpr std::string_view name(ability a) { return ability_names[static_cast<std::size_t>(a)]; }

/// A set of abilities. `any` contains all of them.
class abilities {
public:
  constexpr abilities() = default;
  constexpr abilities(ability a) : bits_(bit(a)) {}
  [[nodiscard]] static constexpr abilities any() { return from_bits(all_bits); }
  /// Bits in the order of the enumeration; others are ignored.
  [[nodiscard]] static constexpr abilities from_bits(std::uint32_t bits) {
    abilities a;
    a.bits_ = static_cast<std::uint16_t>(bits & all_bits);
    return a;
  }

  [[nodiscard]] constexpr std::uint16_t bits() const { return bits_; }
  [[nodiscard]] constexpr bool is_any() const { return bits_ == all_bits; }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
  [[nodiscard]] constexpr bool has(ability a) const { return (bits_ & bit(a)) != 0; }

  friend constexpr abilities operator|(abilities a, abilities b) { return from_bits(a.bits_ | b.bits_); }
  friend constexpr abilities operator&(abilities a, abilities b) { return from_bits(a.bits_ & b.bits_); }
  friend constexpr bool operator<=(abilities a, abilities b) { return (a & b) == a; }
  friend constexpr bool operator==(abilities, abilities) = default;

private:
  static constexpr std::uint16_t all_bits = (1U << ability_names.size()) - 1;

  [[nodiscard]] static constexpr std::uint16_t bit(ability a) {
    return static_cast<std::uint16_t>(1U << static_cast<unsigned>(a));
  }
  std::uint16_t bits_ = 0;
};

/// The abilities of a document that does not mention abilities.
inline constexpr abilities default_abilities = ability::spawn;

} // namespace cordon
