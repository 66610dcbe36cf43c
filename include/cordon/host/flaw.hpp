// SPDX-License-Identifier: BSL-1.0
/// The errors of invalid host patterns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon::host {

/// The first error, if a text has several.
enum class flaw : std::uint8_t {
  none,
  empty,
  scheme_in_pattern,
  userinfo,
  ambiguous_ipv6,
  bad_address,
  bad_cidr,
  path_in_pattern,
  bad_port,
  inner_wildcard,
  bad_idna,
  bad_label,
  too_long,
};

/// Returns: the name of the flaw.
[[nodiscard]] constexpr std::string_view name(flaw f) {
  constexpr std::array<std::string_view, 13> names{
      "none",        "empty",     "scheme_in_pattern", "userinfo", "ambiguous_ipv6",
      "bad_address", "bad_cidr",  "path_in_pattern",   "bad_port", "inner_wildcard",
      "bad_idna",    "bad_label", "too_long"};
  return names[static_cast<std::size_t>(f)];
}

/// The meaning of the flaw, and its correction.
[[nodiscard]] constexpr std::string_view explain(flaw f) {
  switch (f) {
  case flaw::none: return "the pattern is fine";
  case flaw::empty: return "a pattern must not be blank";
  case flaw::scheme_in_pattern: return "a pattern is a host, not a URL; leave the scheme out";
  case flaw::userinfo: return "a pattern has no user";
  case flaw::ambiguous_ipv6: return "an IPv6 address needs brackets, as in [2001:db8::1]:443";
  case flaw::bad_address: return "not an address: IPv4 has four decimal parts, IPv6 has brackets and no zone";
  case flaw::bad_cidr: return "not a prefix: the length must be a number that leaves no bits of the host set";
  case flaw::path_in_pattern: return "a pattern is a host and has no path; a prefix length needs an address";
  case flaw::bad_port:
    return "a port is a number from 1 to 65535, or two of them as in 8000-8999; for every port leave it out";
  case flaw::inner_wildcard: return "a star stands alone or as the whole first label, as in *.example.com";
  case flaw::bad_idna: return "not a valid internationalised name";
  case flaw::bad_label:
    return "a label is 1 to 63 letters, digits, hyphens or underscores, a hyphen neither first nor last";
  case flaw::too_long: return "a name is at most 253 bytes long";
  }
  return "unknown";
}

} // namespace cordon::host
