// SPDX-License-Identifier: BSL-1.0
/// IP addresses and prefixes as values. An IPv4-mapped address is the IPv4 one (RFC 4291, 2.5.5.2).
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon::host {

/// The two families of addresses.
enum class family : std::uint8_t { v4, v6 };

inline constexpr std::array<std::string_view, 2> family_names{"v4", "v6"}; ///< names of the enumerators, by value
/// Returns: the name of the family.
[[nodiscard]] constexpr std::string_view name(family e) { return family_names[static_cast<std::size_t>(e)]; }

/// Bytes in network order; the last twelve of an IPv4 address are 0.
struct address {
  host::family family = host::family::v4; ///< its family
  std::uint8_t bytes[16]{};               ///< big endian; of IPv4 the first four count

  /// The number of bytes.
  [[nodiscard]] constexpr std::size_t size() const { return family == host::family::v4 ? 4 : 16; }
  /// The number of bits.
  [[nodiscard]] constexpr unsigned bits() const { return family == host::family::v4 ? 32 : 128; }
  /// A bit, from the most significant one.
  [[nodiscard]] constexpr bool bit(unsigned i) const { return (bytes[i / 8] >> (7 - i % 8) & 1) != 0; }

  /// Compares family and bytes.
  friend constexpr bool operator==(const address& a, const address& b) { return (a <=> b) == 0; }
  /// IPv4 before IPv6, then by bytes.
  friend constexpr std::strong_ordering operator<=>(const address& a, const address& b) {
    if (a.family != b.family) return a.family <=> b.family;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (a.bytes[i] != b.bytes[i]) return a.bytes[i] <=> b.bytes[i];
    return std::strong_ordering::equal;
  }
};

/// An IPv4 address from its number: 0x7F000001 is 127.0.0.1.
[[nodiscard]] constexpr address ipv4(std::uint32_t number) {
  address a;
  for (std::size_t i = 0; i < 4; ++i) a.bytes[i] = static_cast<std::uint8_t>(number >> (24 - 8 * i));
  return a;
}

/// An IPv6 address from its first and its last four groups.
[[nodiscard]] constexpr address ipv6(std::uint64_t high, std::uint64_t low) {
  address a;
  a.family = family::v6;
  for (std::size_t i = 0; i < 8; ++i) {
    a.bytes[i] = static_cast<std::uint8_t>(high >> (56 - 8 * i));
    a.bytes[8 + i] = static_cast<std::uint8_t>(low >> (56 - 8 * i));
  }
  return a;
}

/// The IPv4 address at a byte offset of an IPv6 address.
[[nodiscard]] constexpr address ipv4_at(const address& a, std::size_t byte) {
  address inner;
  for (std::size_t i = 0; i < 4; ++i) inner.bytes[i] = a.bytes[byte + i];
  return inner;
}

/// The address after this one; the last address is followed by the first.
[[nodiscard]] constexpr address next(address a) {
  for (std::size_t i = a.size(); i-- > 0;)
    if (++a.bytes[i] != 0) break;
  return a;
}
/// The address before this one; the first address follows the last.
[[nodiscard]] constexpr address previous(address a) {
  for (std::size_t i = a.size(); i-- > 0;)
    if (a.bytes[i]-- != 0) break;
  return a;
}

/// The addresses that share the first `length` bits; the other bits are 0.
struct prefix {
  address first{};     ///< its lowest address
  unsigned length = 0; ///< the bits that all its addresses share

  /// Its highest address.
  [[nodiscard]] constexpr address last() const {
    address a = first;
    for (unsigned i = length; i < a.bits();) {
      if (i % 8 == 0) a.bytes[i / 8] = 0xFF;
      else a.bytes[i / 8] |= static_cast<std::uint8_t>(0xFF >> i % 8);
      i += 8 - i % 8;
    }
    return a;
  }
  /// Does it contain the address?
  [[nodiscard]] constexpr bool covers(const address& a) const {
    if (a.family != first.family) return false;
    const std::size_t whole = length / 8;
    for (std::size_t i = 0; i < whole; ++i)
      if (a.bytes[i] != first.bytes[i]) return false;
    return length % 8 == 0 || ((a.bytes[whole] ^ first.bytes[whole]) >> (8 - length % 8)) == 0;
  }
  /// Does it contain the whole prefix?
  [[nodiscard]] constexpr bool covers(const prefix& p) const { return length <= p.length && covers(p.first); }
  /// One of its two halves; not for a single address.
  [[nodiscard]] constexpr prefix half(bool upper) const {
    prefix p{first, length + 1};
    if (upper) p.first.bytes[length / 8] |= static_cast<std::uint8_t>(0x80 >> length % 8);
    return p;
  }
  friend constexpr bool operator==(const prefix&, const prefix&) = default; ///< Compares address and length.
};

/// The prefix of that length that contains the address.
[[nodiscard]] constexpr prefix prefix_of(address a, unsigned length) {
  for (unsigned i = length; i < a.bits();) {
    a.bytes[i / 8] &= static_cast<std::uint8_t>(0xFF00 >> i % 8);
    i += 8 - i % 8;
  }
  return {a, length};
}
[[nodiscard]] constexpr prefix whole(family f) { return {{f, {}}, 0}; } ///< The prefix of every address of a family.
[[nodiscard]] constexpr prefix only(const address& a) { return {a, a.bits()}; } ///< The prefix of one address.

/// The longest prefix that contains both addresses, which must be of one family.
[[nodiscard]] constexpr prefix common(const address& a, const address& b) {
  unsigned length = 0;
  while (length < a.bits() && a.bit(length) == b.bit(length)) ++length;
  return prefix_of(a, length);
}

inline constexpr prefix ipv4_mapped{ipv6(0, 0xFFFF00000000), 96}; ///< the IPv4-mapped addresses (RFC 4291)

/// The IPv4 form of a mapped address or prefix; any other one is unchanged.
[[nodiscard]] constexpr address unmapped(const address& a) { return ipv4_mapped.covers(a) ? ipv4_at(a, 12) : a; }
/// The IPv4 prefix behind an IPv4-mapped one; others unchanged.
[[nodiscard]] constexpr prefix unmapped(const prefix& p) {
  return ipv4_mapped.covers(p) ? prefix{ipv4_at(p.first, 12), p.length - 96} : p;
}

} // namespace cordon::host
