// SPDX-License-Identifier: BSL-1.0
/// Reading host patterns. Nothing is trimmed, nothing is guessed: what is no pattern is an error, never a dead entry.
#pragma once

#include "pattern.hpp"

namespace cordon::host {

namespace detail {

/// Decimal without a leading zero.
[[nodiscard]] constexpr parsed_number parse_decimal(std::string_view text, std::uint32_t most) {
  if (text.size() > 1 && text[0] == '0') return {};
  return parse_number(text, 10, most);
}

} // namespace detail

/// `443` or `8000-8999`.
[[nodiscard]] constexpr bool parse_ports(std::string_view text, port_range& to) {
  const std::size_t dash = text.find('-');
  const parsed_number first = detail::parse_decimal(text.substr(0, dash), last_port);
  const parsed_number last = dash == text.npos ? first : detail::parse_decimal(text.substr(dash + 1), last_port);
  if (!first || !last || first.value == 0 || first.value > last.value) return false;
  to = {static_cast<std::uint16_t>(first.value), static_cast<std::uint16_t>(last.value)};
  return true;
}

namespace detail {

/// Two colons or more in what can only be meant as an address.
[[nodiscard]] constexpr bool is_bare_ipv6(std::string_view text) {
  text = text.substr(0, text.find_first_of("/%?#"));
  return text.find_first_not_of("0123456789abcdefABCDEF:.") == text.npos && text.find(':') != text.rfind(':');
}

/// Turns the address in `block` into the prefix of a written length; false if that is none. `was_ipv6`: the length
/// counts from the front of an IPv6 address, also where the address is a mapped one and has become IPv4.
[[nodiscard]] constexpr bool cut(prefix& block, std::string_view length, bool was_ipv6) {
  const unsigned ahead = was_ipv6 && block.first.family == family::v4 ? 96 : 0;
  const parsed_number n = parse_decimal(length, block.first.bits() + ahead);
  if (!n || n.value < ahead) return false;
  const prefix shorter = prefix_of(block.first, n.value - ahead);
  if (shorter.first != block.first) return false;
  block = shorter;
  return true;
}

/// What stands before the first of `:/?#`: the host of a pattern.
template <class Idna> constexpr flaw parse_host(std::string_view host, bool bracketed, Idna&& idna, pattern& to) {
  parsed_address address;
  canonical_name name;
  if (bracketed) {
    address = parse_ipv6(host);
    if (!address) return flaw::bad_address;
  } else {
    if (host.ends_with('.')) host.remove_suffix(1);
    canonicalise(host, hyphens::inside, idna, name);
    if (name.ends_in_number && name.why == name_flaw::none) address = parse_ipv4(name.text.view());
    if (name.ends_in_number && !address) return flaw::bad_address;
  }
  if (address) {
    if (to.shape == shape::below) return flaw::bad_address;
    to.block = only(address.value);
    return flaw::none;
  }
  to.name = name.text;
  if (has_any(host, "*")) return flaw::inner_wildcard;
  constexpr flaw flaws[]{flaw::none, flaw::bad_idna, flaw::bad_label, flaw::too_long};
  return flaws[static_cast<std::size_t>(name.why)];
}

/// What follows the host: a prefix length, a port. `of_host`: what is wrong with the host so far.
[[nodiscard]] constexpr flaw parse_tail(std::string_view tail, bool bracketed, flaw of_host, pattern& to) {
  const bool is_address = to.block.length != 0;
  if (of_host == flaw::bad_address) return of_host;
  if (is_address && tail.starts_with('/')) {
    const std::size_t end = tail.find(':');
    if (!cut(to.block, tail.substr(1, end == tail.npos ? end : end - 1), bracketed)) return flaw::bad_cidr;
    if (to.shape == shape::exact && to.block.length != to.block.first.bits()) return flaw::bad_cidr;
    tail = end == tail.npos ? std::string_view{} : tail.substr(end);
  }
  if (is_address) to.shape = shape::block;
  if (has_any(tail, "/?#")) return flaw::path_in_pattern;
  if (!tail.empty() && tail[0] != ':') return flaw::bad_address; // behind a bracket
  if (!tail.empty() && !parse_ports(tail.substr(1), to.ports)) return flaw::bad_port;
  return of_host;
}

template <class Idna> constexpr flaw parse(std::string_view text, Idna&& idna, pattern& to) {
  if (text.find_first_not_of(" \t\n\v\f\r") == text.npos) return flaw::empty;
  if (text.find("://") != text.npos) return flaw::scheme_in_pattern;
  if (has_any(text, "@")) return flaw::userinfo;
  constexpr std::string_view ends = ":/?#";
  if (text[0] == '*' && (text.size() == 1 || ends.find(text[1]) != ends.npos))
    return parse_tail(text.substr(1), false, flaw::none, to);
  to.shape = shape::tree;
  if (text[0] == '=') to.shape = shape::exact;
  else if (text.starts_with("*.")) to.shape = shape::below;
  text.remove_prefix(to.shape == shape::exact ? 1 : to.shape == shape::below ? 2 : 0);
  if (is_bare_ipv6(text)) return flaw::ambiguous_ipv6;
  const bool bracketed = text.starts_with('[');
  if (bracketed) text.remove_prefix(1);
  const std::size_t end = bracketed ? text.find(']') : text.find_first_of(ends);
  if (bracketed && end == text.npos) return flaw::bad_address;
  const flaw of_host = parse_host(text.substr(0, end), bracketed, idna, to);
  if (end == text.npos) return parse_tail({}, bracketed, of_host, to);
  return parse_tail(text.substr(bracketed ? end + 1 : end), bracketed, of_host, to);
}

} // namespace detail

/// Reads one pattern. `idna(label, to)` writes the A-label form of one label; without it labels that are not ASCII, and
/// those that start with xn--, are `bad_idna`. O(size of the text).
template <class Idna> [[nodiscard]] constexpr pattern parse(std::string_view text, Idna&& idna) {
  pattern p;
  p.why = detail::parse(text, idna, p);
  return p;
}
[[nodiscard]] constexpr pattern parse(std::string_view text) { return parse(text, no_idna{}); }

} // namespace cordon::host
