// SPDX-License-Identifier: BSL-1.0
/// Addresses that `*` does not cover: the machine itself, its neighbours, metadata services, multicast groups, and
/// reserved addresses. Only a pattern with an address allows them.
#pragma once

#include "../detail/partition_point.hpp"
#include "address.hpp"

#include <array>
#include <string_view>

namespace cordon::host {

/// The class of an address. `mapped_ipv4`: the IPv4-mapped range, whose addresses are IPv4 and never IPv6 ones.
enum class address_class : std::uint8_t { global, special_purpose, mapped_ipv4 };

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 3> address_class_names{"global", "special_purpose", "mapped_ipv4"};
/// Returns: the name of the class.
[[nodiscard]] constexpr std::string_view name(address_class e) {
  return address_class_names[static_cast<std::size_t>(e)];
}

/// The class of all addresses from here to `last`.
struct address_class_run {
  host::address_class address_class; ///< the class of the run
  address last;                      ///< its last address
};

namespace detail {

struct address_class_block {
  prefix where{};
  host::address_class address_class = host::address_class::special_purpose;
};

/// The IANA registry of special-purpose IPv4 addresses, without its public ranges (RFC 6890 and its successors). Added
/// are two metadata services inside public ranges (Azure's wire server, Oracle's). Ascending.
inline constexpr std::array<address_class_block, 10> special_v4{{
    {{ipv4(0x00000000), 8}},
    {{ipv4(0x0A000000), 8}},
    {{ipv4(0x64400000), 10}},
    {{ipv4(0x7F000000), 8}},
    {{ipv4(0xA83F8110), 32}},
    {{ipv4(0xA9FE0000), 16}},
    {{ipv4(0xAC100000), 12}},
    {{ipv4(0xC00000C0), 32}},
    {{ipv4(0xC0A80000), 16}},
    {{ipv4(0xE0000000), 3}},
}};

/// An IPv6 range whose addresses contain an IPv4 address at a byte offset.
struct embedding {
  prefix where;
  std::size_t byte;
};
/// Compatible (RFC 4291), translated (RFC 2765), NAT64 (RFC 6052), 6to4 (RFC 3056). Mapped addresses are converted to
/// IPv4 before.
inline constexpr std::array<embedding, 4> embeddings{{{{ipv6(0, 0), 96}, 12},
                                                      {{ipv6(0, 0xFFFF000000000000), 96}, 12},
                                                      {{ipv6(0x0064FF9B00000000, 0), 96}, 12},
                                                      {{ipv6(0x2002000000000000, 0), 16}, 2}}};

/// The special IPv4 ranges embedded in IPv6, and the special IPv6 ranges. ::0 and ::1 are in compatible 0.0.0.0/8.
[[nodiscard]] constexpr auto make_special_v6() {
  std::array<address_class_block, special_v4.size() * embeddings.size() + 6> all{};
  std::size_t size = 0;
  const auto inside = [&](const embedding& e) {
    for (const address_class_block& b : special_v4) {
      prefix p{e.where.first, static_cast<unsigned>(8 * e.byte) + b.where.length};
      for (std::size_t i = 0; i < 4; ++i) p.first.bytes[e.byte + i] = b.where.first.bytes[i];
      all[size++].where = p;
    }
  };
  inside(embeddings[0]);
  all[size++] = {ipv4_mapped, address_class::mapped_ipv4};
  inside(embeddings[1]);
  inside(embeddings[2]);
  all[size++].where = {ipv6(0x0064FF9B00010000, 0),
                       48}; // RFC 8215: local NAT64, with the inner address at an unknown offset
  inside(embeddings[3]);
  all[size++].where = {ipv6(0xFC00000000000000, 0), 7};
  all[size++].where = {ipv6(0xFE80000000000000, 0), 10};
  all[size++].where = {ipv6(0xFEC0000000000000, 0), 10};
  all[size++].where = {ipv6(0xFF00000000000000, 0), 8};
  return all;
}
inline constexpr auto special_v6 = make_special_v6();

template <std::size_t N>
[[nodiscard]] constexpr address_class_run address_class_at(const std::array<address_class_block, N>& blocks,
                                                           const address& a) {
  const std::size_t after =
      cordon::detail::partition_point(N, [&](std::size_t i) { return blocks[i].where.first <= a; });
  if (after != 0 && blocks[after - 1].where.covers(a))
    return {blocks[after - 1].address_class, blocks[after - 1].where.last()};
  return {address_class::global, after == N ? whole(a.family).last() : previous(blocks[after].where.first)};
}

} // namespace detail

/// The run of addresses of one class from an address on. O(log n).
[[nodiscard]] constexpr address_class_run address_class_at(const address& a) {
  return a.family == family::v4 ? detail::address_class_at(detail::special_v4, a)
                                : detail::address_class_at(detail::special_v6, a);
}
/// Has the address special rules, so that `*` does not cover it?
[[nodiscard]] constexpr bool is_special(const address& a) {
  return address_class_at(a).address_class == address_class::special_purpose;
}

/// True if the prefix has an address of that class.
[[nodiscard]] constexpr bool has(const prefix& p, address_class wanted) {
  const address last = p.last();
  for (address at = p.first;;) {
    const address_class_run run = address_class_at(at);
    if (run.address_class == wanted) return true;
    if (run.last >= last) return false;
    at = next(run.last);
  }
}

/// Is it a loopback address?
[[nodiscard]] constexpr bool is_loopback(const address& a) {
  return prefix{ipv4(0x7F000000), 8}.covers(a) || a == ipv6(0, 1);
}

/// Writes the IPv4 address that is embedded in an IPv6 one to `inner`: a NAT64, 6to4 or similar gateway forwards to it.
/// Returns: false if there is none.
[[nodiscard]] constexpr bool embeds(const address& a, address& inner) {
  for (const detail::embedding& e : detail::embeddings)
    if (e.where.covers(a)) {
      inner = ipv4_at(a, e.byte);
      return true;
    }
  return false;
}

} // namespace cordon::host
