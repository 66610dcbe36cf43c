// SPDX-License-Identifier: BSL-1.0
/// Ports of the machine that lead to a server in a run: cordon accepts connections there and passes them on to a port of
/// the run's own network.
#pragma once

#include "address_text.hpp"
#include "ports.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon::host {

/// One such port.
struct published_port {
  bool localhost = true;  ///< accept on 127.0.0.1 and ::1, which no other machine reaches
  address at{};           ///< of the machine, if not `localhost`; 0.0.0.0 and :: are all of its addresses
  std::uint16_t port = 0; ///< of the machine; the policy must list it (`listen`)
  std::uint16_t to = 0;   ///< of the run's network

  friend constexpr bool operator==(const published_port&, const published_port&) = default; ///< Compares all members.
};

/// The result of `parse_published_port`.
struct parsed_published_port {
  bool found = false;                                                      ///< was the text one?
  published_port value{};                                                  ///< what it says
  [[nodiscard]] constexpr explicit operator bool() const { return found; } ///< Was the text one?
};

namespace detail {

/// Takes `ADDRESS:` from the front, if there is one. Returns: false if what is there is none.
[[nodiscard]] constexpr bool take_address(std::string_view& text, published_port& to) {
  constexpr std::string_view localhost = "localhost:";
  const bool in_brackets = text.starts_with('[');
  const std::size_t end = in_brackets ? text.find("]:") : text.find(':');
  if (text.starts_with(localhost)) {
    text.remove_prefix(localhost.size());
    return true;
  }
  if (!in_brackets && text.substr(0, end).find('.') == text.npos) return true;
  if (end == text.npos) return false;
  const parsed_address a = in_brackets ? parse_ipv6(text.substr(1, end - 1)) : parse_ipv4(text.substr(0, end));
  text.remove_prefix(end + (in_brackets ? 2 : 1));
  to.localhost = false;
  to.at = a.value;
  return a.found;
}

[[nodiscard]] constexpr bool read_port(std::string_view digits, std::uint16_t& to) {
  const parsed_number n = parse_number(digits, 10, last_port);
  to = static_cast<std::uint16_t>(n.value);
  return n.found && n.value != 0;
}

} // namespace detail

/// Parses `[ADDRESS:]PORT[:PORT]`: a port of the machine, at `localhost` or an address (IPv6 in brackets), and the port
/// of the run if it is another one.
[[nodiscard]] constexpr parsed_published_port parse_published_port(std::string_view text) {
  published_port p;
  if (!detail::take_address(text, p)) return {};
  const std::size_t colon = text.find(':');
  if (!detail::read_port(text.substr(0, colon), p.port)) return {};
  p.to = p.port;
  if (colon != text.npos && !detail::read_port(text.substr(colon + 1), p.to)) return {};
  return {true, p};
}

/// `[`, eight groups of four digits, `]`, two ports.
using published_text = small_text<1 + 39 + 1 + 2 * 6>;

/// Returns: `ADDRESS:PORT:PORT`, as `parse_published_port` reads it.
[[nodiscard]] constexpr published_text text_of(const published_port& p) {
  published_text to;
  const bool in_brackets = !p.localhost && p.at.family == family::v6;
  if (in_brackets) to.add('[');
  if (p.localhost) to.add("localhost");
  else print(p.at, to);
  if (in_brackets) to.add(']');
  for (const std::uint16_t port : {p.port, p.to}) {
    to.add(':');
    to.add_number(port, 10);
  }
  return to;
}

} // namespace cordon::host
