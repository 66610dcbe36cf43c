// SPDX-License-Identifier: BSL-1.0
/// Abilities: privileged operations on the whole machine, which no path describes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon {

/// A process-wide power. A filter or a namespace denies its calls.
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

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 11> ability_names{
    "spawn", "trace", "mount", "namespaces", "keyring", "raw_socket", "bpf", "perf", "modules", "clock", "reboot"};

/// Returns: the name of the ability, as in documents.
[[nodiscard]] constexpr std::string_view name(ability a) { return ability_names[static_cast<std::size_t>(a)]; }

/// A set of abilities. `any` contains all of them.
class abilities {
public:
  constexpr abilities() = default;
  constexpr abilities(ability a) : bits_(bit(a)) {} ///< The set of one ability.
  /// Every ability, also those without a name: no call is denied for lack of one.
  [[nodiscard]] static constexpr abilities any() { return from_bits(all_bits); }
  /// Bits in the order of the enumeration; others are ignored.
  [[nodiscard]] static constexpr abilities from_bits(std::uint32_t bits) {
    abilities a;
    a.bits_ = static_cast<std::uint16_t>(bits & all_bits);
    return a;
  }

  /// Bits in the order of the enumeration; `any` has all.
  [[nodiscard]] constexpr std::uint16_t bits() const { return bits_; }
  [[nodiscard]] constexpr bool is_any() const { return bits_ == all_bits; }           ///< Is it *any*?
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }                   ///< Is it empty?
  [[nodiscard]] constexpr bool has(ability a) const { return (bits_ & bit(a)) != 0; } ///< Is the ability in it?

  /// The abilities of either.
  friend constexpr abilities operator|(abilities a, abilities b) { return from_bits(a.bits_ | b.bits_); }
  /// The abilities of both.
  friend constexpr abilities operator&(abilities a, abilities b) { return from_bits(a.bits_ & b.bits_); }
  /// Is every ability of `a` in `b`?
  friend constexpr bool operator<=(abilities a, abilities b) { return (a & b) == a; }
  friend constexpr bool operator==(abilities, abilities) = default; ///< Compares the sets.

private:
  static constexpr std::uint16_t all_bits = (1U << ability_names.size()) - 1;

  [[nodiscard]] static constexpr std::uint16_t bit(ability a) {
    return static_cast<std::uint16_t>(1U << static_cast<unsigned>(a));
  }
  std::uint16_t bits_ = 0;
};

/// What a debugger, a tracer of system calls or a leak checker needs: `trace` and `spawn`.
inline constexpr abilities debugging = abilities(ability::trace) | ability::spawn;
inline constexpr std::string_view debugging_word = "debug"; ///< names `debugging` in documents

/// Reads a word of a document: the name of an ability, or `debug`. Returns false for another word.
[[nodiscard]] constexpr bool from_word(std::string_view word, abilities& to) {
  if (word == debugging_word) {
    to = debugging;
    return true;
  }
  for (std::size_t i = 0; i < ability_names.size(); ++i)
    if (word == ability_names[i]) {
      to = static_cast<ability>(i);
      return true;
    }
  return false;
}

/// The abilities of a document that does not mention abilities.
inline constexpr abilities default_abilities = ability::spawn;

} // namespace cordon
