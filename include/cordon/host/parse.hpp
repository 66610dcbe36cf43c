// SPDX-License-Identifier: BSL-1.0
/// Parses host patterns. Nothing is trimmed or guessed: an invalid pattern is an error, never an entry without effect.
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
  std::uint32_t ends[2]{}, digits = 0;
  bool second = false;
  for (const char c : text) {
    if (c == '-' && !second && digits != 0) {
      second = true;
      digits = 0;
      continue;
    }
    std::uint32_t& n = ends[second];
    if (c < '0' || c > '9' || (digits++ != 0 && n == 0)) return false;
    n = n * 10 + static_cast<std::uint32_t>(c - '0');
    if (n > last_port) return false;
  }
  if (!second) ends[1] = ends[0];
  if (digits == 0 || ends[0] == 0 || ends[0] > ends[1]) return false;
  to = {static_cast<std::uint16_t>(ends[0]), static_cast<std::uint16_t>(ends[1])};
  return true;
}

namespace detail {

inline constexpr unsigned of_address = character_class::digit | character_class::hex_letter | character_class::dot;

/// True if the text has two colons or more and can only mean an address. `tail` is the text from the first colon on.
[[nodiscard]] constexpr bool is_bare_ipv6(std::string_view tail) {
  tail = tail.substr(0, tail.find_first_of("/%?#"));
  const std::size_t next = tail.empty() ? tail.npos : tail.find(':', 1);
  if (next == tail.npos) return false;
  for (const char c : tail)
    if (c != ':' && !classify({&c, 1}).only(of_address)) return false;
  return true;
}

/// Converts the address in `block` to the prefix of a written length. `was_ipv6`: the length counts from the start of
/// an IPv6 address, even if the address was mapped and is now IPv4. Returns: false if the length is invalid.
[[nodiscard]] constexpr bool cut(prefix& block, std::string_view length, bool was_ipv6) {
  const unsigned ahead = was_ipv6 && block.first.family == family::v4 ? 96 : 0;
  const parsed_number n = parse_decimal(length, block.first.bits() + ahead);
  if (!n || n.value < ahead) return false;
  const prefix shorter = prefix_of(block.first, n.value - ahead);
  if (shorter.first != block.first) return false;
  block = shorter;
  return true;
}

/// Parses the text before the first of `:/?#`: the host of a pattern.
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
  if (name.why == name_flaw::none) return flaw::none;
  if (has_any(host, "*")) return flaw::inner_wildcard;
  constexpr flaw flaws[]{flaw::none, flaw::bad_idna, flaw::bad_label, flaw::too_long};
  return flaws[static_cast<std::size_t>(name.why)];
}

/// Parses the text after the host: a prefix length, a port. `of_host` is the flaw of the host so far.
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
  if (tail.empty() || (tail[0] == ':' && parse_ports(tail.substr(1), to.ports))) return of_host;
  if (has_any(tail, "/?#")) return flaw::path_in_pattern;
  return tail[0] == ':' ? flaw::bad_port : flaw::bad_address; // the latter after a bracket
}

template <class Idna> constexpr flaw parse(std::string_view text, Idna&& idna, pattern& to) {
  const char first = text.empty() ? '\0' : text.front();
  const bool star = first == '*';
  const std::size_t skip = first == '=' ? 1 : star && text.size() > 1 && text[1] == '.' ? 2 : 0;
  const character_classes seen = classify(text.substr(skip), character_class::delimiter);
  const std::string_view tail = text.substr(skip + seen.size);
  if (skip == 0 && tail.empty() && seen.only(character_class::space)) return flaw::empty;
  const bool ports_follow =
      tail.empty() || classify(tail.substr(1)).only(character_class::digit | character_class::hyphen);
  if (!ports_follow && tail.find("://") != tail.npos) return flaw::scheme_in_pattern;
  if ((seen.kinds & character_class::at) != 0 || (!ports_follow && has_any(tail, "@"))) return flaw::userinfo;
  if (star && skip == 0 && seen.size == 1) return parse_tail(tail, false, flaw::none, to);
  to.shape = first == '=' ? shape::exact : skip == 2 ? shape::below : shape::tree;
  if (!ports_follow && seen.only(of_address) && is_bare_ipv6(tail)) return flaw::ambiguous_ipv6;
  std::string_view host = text.substr(skip, seen.size);
  if (text.substr(skip).starts_with('[')) {
    const std::size_t close = text.find(']');
    if (close == text.npos) return flaw::bad_address;
    host = text.substr(skip + 1, close - skip - 1);
    return parse_tail(text.substr(close + 1), true, parse_host(host, true, idna, to), to);
  }
  return parse_tail(tail, false, parse_host(host, false, idna, to), to);
}

} // namespace detail

/// Parses one pattern. `idna(label, to)` writes the A-label form of one label. Without it, labels that are not ASCII
/// and labels that start with xn-- are `bad_idna`. O(size of the text).
template <class Idna> [[nodiscard]] constexpr pattern parse(std::string_view text, Idna&& idna) {
  pattern p;
  p.why = detail::parse(text, idna, p);
  return p;
}
/// The same without IDNA: labels that are not ASCII are refused.
[[nodiscard]] constexpr pattern parse(std::string_view text) { return parse(text, no_idna{}); }

} // namespace cordon::host
