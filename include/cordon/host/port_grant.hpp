// SPDX-License-Identifier: BSL-1.0
/// The value of one entry of the hosts: the allowed ports, and which of them a pattern other than `*` names. The order
/// of policies compares only the allowed ports. The named ports decide whether a name may resolve to the machine
/// itself.
#pragma once

#include "../policy/step_function.hpp"
#include "port_set.hpp"

namespace cordon::host {

/// Ports of a host entry.
struct port_grant {
  ports allowed{}; ///< those that are allowed
  ports named{};   ///< a part of `allowed`
};

/// Values of entries: 0: no port. 1: every port, all named. 2 + n: a payload of n bytes with the ports, all named. With
/// the highest bit set, n bytes of payload: the number of allowed ranges, these ranges, and the named ones.
namespace detail {
inline constexpr std::uint32_t split = 0x80000000;
}

/// Bytes of text after the place of a slot with that value.
[[nodiscard]] constexpr std::uint32_t payload_size(std::uint32_t value) {
  if ((value & detail::split) != 0) return value & ~detail::split;
  return value < 2 ? 0 : value - 2;
}

/// The ports of an entry.
[[nodiscard]] constexpr port_grant port_grant_of(entry e) {
  if (e.value == 0) return {};
  if (e.value == 1) return {ports::all(), ports::all()};
  if ((e.value & detail::split) == 0) return {ports(e.payload), ports(e.payload)};
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(e.payload[i])); };
  const std::size_t size = 4 * (byte(0) << 8 | byte(1));
  return {ports(e.payload.substr(2, size)), ports(e.payload.substr(2 + size))};
}

/// A buffer for the payload of an entry while it is written.
class port_grant_writer {
public:
  constexpr port_grant_writer() {} // NOLINT(cppcoreguidelines-pro-type-member-init,modernize-use-equals-default)

  /// The entry of a place; valid as long as `r` and the writer.
  [[nodiscard]] constexpr entry write(std::string_view place, port_grant r) {
    if (r.allowed.empty()) return {place, 0, {}};
    if (r.allowed == r.named) {
      if (r.allowed.is_all()) return {place, 1, {}};
      return {place, static_cast<std::uint32_t>(r.allowed.bytes().size()) + 2, r.allowed.bytes()};
    }
    std::uint32_t size = 0;
    const auto put = [&](std::size_t byte) { text_[size++] = static_cast<char>(byte & 0xFF); };
    put(r.allowed.size() >> 8);
    put(r.allowed.size());
    for (const ports p : {r.allowed, r.named})
      for (const char c : p.bytes()) text_[size++] = c;
    return {place, detail::split | size, {text_, size}};
  }

private:
  char text_[2 + 2 * 4 * port_set::most];
};

} // namespace cordon::host
