// SPDX-License-Identifier: BSL-1.0
/// Facilities: what a process may do that no path describes, as far as mechanisms can tell it apart.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace cordon {

enum class facility : std::uint8_t {
  spawn,     ///< start other programs
  any_host,  ///< reach whatever host it likes
  some_host, ///< reach a host at all, were it by a gateway that tells them apart
  listen,    ///< wait for connections on a port that the policy names
  any_port,  ///< wait on whatever port it likes
  loopback,  ///< reach this machine's own servers
};

inline constexpr std::array<std::string_view, 6> facility_names{"spawn",  "any_host", "some_host",
                                                                "listen", "any_port", "loopback"};
[[nodiscard]] constexpr std::string_view name(facility f) { return facility_names[static_cast<std::size_t>(f)]; }

/// A set of facilities; empty unless said otherwise.
class facilities {
public:
  constexpr facilities() = default;
  constexpr facilities(facility f) : bits_(static_cast<std::uint8_t>(1U << static_cast<unsigned>(f))) {}

  [[nodiscard]] constexpr bool has(facility f) const { return (bits_ >> static_cast<unsigned>(f) & 1U) != 0; }

  friend constexpr facilities operator|(facilities a, facilities b) {
    a.bits_ = static_cast<std::uint8_t>(a.bits_ | b.bits_);
    return a;
  }
  friend constexpr bool operator==(facilities, facilities) = default;

private:
  std::uint8_t bits_ = 0;
};

[[nodiscard]] constexpr facilities operator|(facility a, facility b) { return facilities(a) | facilities(b); }

} // namespace cordon
