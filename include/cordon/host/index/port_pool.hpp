// SPDX-License-Identifier: BSL-1.0
/// Sets of ports as numbers. Most hosts allow every port, and such a set needs no memory.
#pragma once

#include "../ports.hpp"
#include "packed.hpp"

#include <vector>

namespace cordon::detail {

class port_pool {
public:
  /// No port, every port, or a set of this pool.
  using value = std::uint32_t;
  static constexpr value none = 0, all = 1;

  [[nodiscard]] value add(host::ports p) {
    if (p.empty()) return none;
    if (p.is_all()) return all;
    const auto at = static_cast<value>(bytes_.size());
    bytes_.push_back(static_cast<char>(p.size() >> 8));
    bytes_.push_back(static_cast<char>(p.size() & 0xFF));
    append(bytes_, p.bytes());
    return at + 2;
  }

  /// O(log n) in the ranges of the set.
  [[nodiscard]] bool contains(value v, std::uint16_t port) const {
    if (v < 2) return v == all;
    const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes_[i])); };
    const std::size_t size = byte(v - 2) << 8 | byte(v - 1);
    return host::ports(std::string_view(bytes_.data() + v, 4 * size)).contains(port);
  }

  void shrink() { bytes_.shrink_to_fit(); }
  [[nodiscard]] std::size_t bytes() const { return bytes_.capacity(); }

private:
  std::vector<char> bytes_;
};

} // namespace cordon::detail
