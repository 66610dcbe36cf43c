// SPDX-License-Identifier: BSL-1.0
/// The host that a program requests: a host, a host with a port, or a URL. It is converted to canonical form before any
/// pattern is checked, so that no second spelling of a host bypasses a pattern. An invalid text is refused.
#pragma once

#include "../detail/ascii.hpp"
#include "address_text.hpp"
#include "place.hpp"

#include <array>
#include <string_view>

namespace cordon::host {

/// How a text was read as the name of a host.
enum class asking : std::uint8_t {
  malformed,    ///< invalid text
  other_scheme, ///< a URL that is neither http nor https; its host was not parsed
  host,
};

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 3> asking_names{"malformed", "other_scheme", "host"};
/// Returns: the name of the answer.
[[nodiscard]] constexpr std::string_view name(asking e) { return asking_names[static_cast<std::size_t>(e)]; }

/// The host of a request, in canonical form.
struct requested_host {
  asking how = asking::malformed; ///< how the text was read
  bool is_address = false;        ///< is the host an address?
  host::address address{};        ///< if `is_address`
  name_text name{};               ///< else
  std::uint16_t port = 443;       ///< 443, or 80 in a URL of the scheme http

  /// The place in the tree of hosts; valid only if `how` is `host`.
  [[nodiscard]] constexpr place_text place() const { return is_address ? place_of(address) : exact_place(name.view()); }
};

/// RFC 3986, 3.1.
[[nodiscard]] constexpr bool is_scheme(std::string_view text) {
  bool first = true;
  for (const char c : text) {
    if (!ascii::is_letter(c) && (first || !(ascii::is_digit(c) || c == '+' || c == '-' || c == '.'))) return false;
    first = false;
  }
  return !first;
}

/// Is it this scheme? Case is ignored.
[[nodiscard]] constexpr bool is_scheme(std::string_view text, std::string_view wanted) {
  return ascii::same_in_any_case(text, wanted);
}

namespace detail {

template <class Idna> constexpr bool read_name(std::string_view host, Idna&& idna, requested_host& to) {
  if (host.ends_with('.')) host.remove_suffix(1);
  canonical_name name;
  canonicalise(host, hyphens::anywhere, idna, name);
  if (name.why != name_flaw::none) return false;
  to.name = name.text;
  if (!name.ends_in_number) return true;
  const parsed_address a = parse_ipv4_shorthand(name.text.view());
  to.is_address = true;
  to.address = a.value;
  return a.found;
}

[[nodiscard]] constexpr bool read_ipv6(std::string_view text, requested_host& to) {
  const parsed_address a = parse_ipv6(text);
  to.is_address = true;
  to.address = a.value;
  return a.found;
}

/// Parses `host`, `host:port`, `[address]:port`. In a URL an empty port is the scheme's (RFC 3986, 3.2.3). Elsewhere an
/// IPv6 address may have no brackets, and then no port.
template <class Idna>
constexpr bool read_authority(std::string_view text, bool in_url, Idna&& idna, requested_host& to) {
  std::size_t colon = text.find(':');
  if (text.starts_with('[')) {
    const std::size_t close = text.find(']');
    if (close == text.npos || !read_ipv6(text.substr(1, close - 1), to)) return false;
    colon = close + 1;
    if (colon != text.size() && text[colon] != ':') return false;
  } else if (!in_url && colon != text.rfind(':')) return read_ipv6(text, to);
  else if (!read_name(text.substr(0, colon), idna, to)) return false;
  if (colon >= text.size()) return true;
  const std::string_view port = text.substr(colon + 1);
  if (port.empty()) return in_url;
  const parsed_number n = parse_number(port, 10, 65535);
  to.port = static_cast<std::uint16_t>(n.value);
  return n.found && n.value != 0;
}

} // namespace detail

/// Parses a requested host; see `parse` for `idna`. The default port is 443, in a URL that of its scheme. O(size of the
/// text).
template <class Idna> [[nodiscard]] constexpr requested_host parse_requested_host(std::string_view text, Idna&& idna) {
  requested_host to;
  const std::size_t colon = text.find("://");
  const bool in_url = colon != text.npos;
  if (in_url) {
    const std::string_view scheme = text.substr(0, colon);
    if (!is_scheme(scheme)) return to;
    if (is_scheme(scheme, "http")) to.port = 80;
    else if (!is_scheme(scheme, "https")) {
      to.how = asking::other_scheme;
      return to;
    }
    text.remove_prefix(colon + 3);
    // A URL contains no blank or control byte; one after the host would end a line of the request.
    for (const char c : text)
      if (static_cast<unsigned char>(c) <= ' ' || c == '\x7f') return to;
    text = text.substr(0, text.find_first_of("/?#"));
  }
  if (detail::read_authority(text, in_url, idna, to)) to.how = asking::host;
  return to;
}
/// Reads `host`, `host:port` or a URL.
[[nodiscard]] constexpr requested_host parse_requested_host(std::string_view text) {
  return parse_requested_host(text, no_idna{});
}

/// The host in canonical form, as messages show it; an IPv6 address without brackets.
[[nodiscard]] constexpr name_text text_of(const requested_host& a) {
  name_text to;
  if (a.is_address) print(a.address, to);
  else to.add(a.name.view());
  return to;
}

} // namespace cordon::host
