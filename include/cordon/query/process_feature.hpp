// SPDX-License-Identifier: BSL-1.0
/// Process features: operations of a process that no path describes, as far as mechanisms can distinguish them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace cordon {

/// What processes of a program may do, apart from files and abilities.
enum class process_feature : std::uint8_t {
  spawn,       ///< start other programs
  any_host,    ///< reach any host
  some_host,   ///< reach at least one host, directly or through a gateway that filters hosts
  listen,      ///< listen on a port that the policy names
  any_port,    ///< listen on any port
  loopback,    ///< reach servers on the loopback network
  own_sockets, ///< use sockets among the processes of the run, in a network of their own
};

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 7> process_feature_names{"spawn",    "any_host", "some_host",  "listen",
                                                                       "any_port", "loopback", "own_sockets"};
/// Returns: the name of the feature.
[[nodiscard]] constexpr std::string_view name(process_feature f) {
  return process_feature_names[static_cast<std::size_t>(f)];
}

/// A set of process features; empty by default.
class process_features {
public:
  constexpr process_features() = default;
  /// The set of one feature.
  constexpr process_features(process_feature f) : bits_(static_cast<std::uint8_t>(1U << static_cast<unsigned>(f))) {}

  /// Is the feature in it?
  [[nodiscard]] constexpr bool has(process_feature f) const { return (bits_ >> static_cast<unsigned>(f) & 1U) != 0; }

  /// The features of either.
  friend constexpr process_features operator|(process_features a, process_features b) {
    a.bits_ = static_cast<std::uint8_t>(a.bits_ | b.bits_);
    return a;
  }
  friend constexpr bool operator==(process_features, process_features) = default; ///< Compares the sets.

private:
  std::uint8_t bits_ = 0;
};

/// The set of two features.
[[nodiscard]] constexpr process_features operator|(process_feature a, process_feature b) {
  return process_features(a) | process_features(b);
}

} // namespace cordon
