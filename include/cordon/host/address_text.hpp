// SPDX-License-Identifier: BSL-1.0
/// Addresses as text. Documents are parsed strictly; for hosts that a program requests, the old shorthands are valid
/// too.
#pragma once

#include "address.hpp"
#include "text.hpp"

#include <string_view>

namespace cordon::host {

/// An address; `found` is false if the text is invalid.
struct parsed_address {
  bool found = false;                                                      ///< was the text an address?
  address value{};                                                         ///< the address
  [[nodiscard]] constexpr explicit operator bool() const { return found; } ///< Was the text an address?
};

/// Four decimal parts without leading zeros.
[[nodiscard]] constexpr parsed_address parse_ipv4(std::string_view text) {
  std::uint32_t number = 0;
  for (int part = 0; part < 4; ++part) {
    const std::size_t end = part == 3 ? text.size() : text.find('.');
    if (end == text.npos) return {};
    const parsed_number n = parse_number(text.substr(0, end), 10, 255);
    if (!n || (end > 1 && text[0] == '0')) return {};
    number = number << 8 | n.value;
    if (part != 3) text.remove_prefix(end + 1);
  }
  return {true, ipv4(number)};
}

/// One to four parts, each decimal, 0x hexadecimal or 0 octal; the last one fills the remaining bytes (inet_aton).
[[nodiscard]] constexpr parsed_address parse_ipv4_shorthand(std::string_view text) {
  std::uint32_t number = 0;
  for (unsigned part = 0; part < 4; ++part) {
    const std::size_t end = text.find('.');
    const bool last = end == text.npos;
    const std::string_view digits = text.substr(0, end);
    const bool hex = digits.starts_with("0x");
    const bool octal = !hex && digits.size() > 1 && digits[0] == '0';
    const std::uint32_t most = last ? 0xFFFFFFFF >> 8 * part : 0xFF;
    const parsed_number n = parse_number(digits.substr(hex ? 2 : 0), hex ? 16 : octal ? 8 : 10, most);
    if (!n) return {};
    number |= last ? n.value : n.value << (24 - 8 * part);
    if (last) return {true, ipv4(number)};
    text.remove_prefix(end + 1);
  }
  return {};
}

/// The forms of RFC 4291, 2.2, without a zone; a mapped address becomes its IPv4 address.
[[nodiscard]] constexpr parsed_address parse_ipv6(std::string_view text) {
  std::uint8_t bytes[16]{};
  std::size_t size = 0, gap = 17;
  if (text.starts_with("::")) {
    gap = 0;
    text.remove_prefix(2);
  } else if (text.empty() || text[0] == ':') return {};
  while (!text.empty()) {
    const std::size_t end = text.find(':');
    const std::string_view group = text.substr(0, end);
    if (end == text.npos && group.find('.') != group.npos) {
      const parsed_address inner = parse_ipv4(group);
      if (!inner || size > 12) return {};
      for (std::size_t i = 0; i < 4; ++i) bytes[size++] = inner.value.bytes[i];
      break;
    }
    const parsed_number n = parse_number(group, 16, 0xFFFF);
    if (!n || group.size() > 4 || size > 14) return {};
    bytes[size++] = static_cast<std::uint8_t>(n.value >> 8);
    bytes[size++] = static_cast<std::uint8_t>(n.value & 0xFF);
    if (end == text.npos) break;
    text.remove_prefix(end + 1);
    if (text.empty()) return {};
    if (text[0] != ':') continue;
    if (gap != 17) return {};
    gap = size;
    text.remove_prefix(1);
  }
  if (gap == 17 ? size != 16 : size > 14) return {};
  parsed_address a{true, ipv6(0, 0)};
  for (std::size_t i = 0; i < size; ++i) a.value.bytes[gap != 17 && i >= gap ? 16 - size + i : i] = bytes[i];
  a.value = unmapped(a.value);
  return a;
}

/// An IPv4 or IPv6 address, as a resolver prints it: no brackets, no shorthand, no zone.
[[nodiscard]] constexpr parsed_address parse_address(std::string_view text) {
  return text.find(':') == text.npos ? parse_ipv4(text) : parse_ipv6(text);
}

/// The canonical text: four decimal parts, or RFC 5952 without brackets.
template <std::size_t N> constexpr void print(const address& a, small_text<N>& to) {
  if (a.family == family::v4) {
    for (std::size_t i = 0; i < 4; ++i) {
      if (i != 0) to.add('.');
      to.add_number(a.bytes[i], 10);
    }
    return;
  }
  const auto group = [&](std::size_t i) { return static_cast<unsigned>(a.bytes[2 * i] << 8 | a.bytes[2 * i + 1]); };
  std::size_t gap = 8, longest = 1; // a single group of zeros is written out
  for (std::size_t i = 0; i < 8; ++i) {
    std::size_t zeros = 0;
    while (i + zeros < 8 && group(i + zeros) == 0) ++zeros;
    if (zeros > longest) {
      gap = i;
      longest = zeros;
    }
  }
  for (std::size_t i = 0; i < 8; ++i) {
    if (i == gap) {
      to.add("::");
      i += longest - 1;
      continue;
    }
    if (i != 0 && i != gap + longest) to.add(':');
    to.add_number(group(i), 16);
  }
}

} // namespace cordon::host
