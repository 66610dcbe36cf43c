// SPDX-License-Identifier: BSL-1.0
/// The suffixes of a host name, all hashed in one pass.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace cordon::detail {

/// Eight bytes as a little-endian number.
[[nodiscard]] inline std::uint64_t load(const char* from) {
  if constexpr (std::endian::native == std::endian::little) {
    std::uint64_t n = 0;
    std::memcpy(&n, from, sizeof n);
    return n;
  } else {
    std::uint64_t n = 0;
    for (int i = 8; i-- > 0;) n = n << 8 | static_cast<unsigned char>(from[i]);
    return n;
  }
}

/// The highest bit of each byte of `of` that is `wanted`.
[[nodiscard]] constexpr std::uint64_t bytes_equal(std::uint64_t of, unsigned char wanted) {
  constexpr std::uint64_t ones = 0x0101010101010101, low = ones * 0x7F;
  const std::uint64_t x = of ^ ones * wanted;
  return ~(((x & low) + low) | x | low);
}

/// The suffixes of a name that start at a label, with their hashes, from the shortest to the longest. The name is 1 to
/// 253 bytes long.
///
/// Blocks of eight bytes from the right are chained. A suffix mixes the chain up to its last whole block with the
/// remaining bytes. So the hashes do not depend on each other, and short labels cost no more than long ones.
class suffixes {
public:
  explicit suffixes(std::string_view name) : end_(name.data() + name.size()) {
    std::uint64_t chain = 0;
    std::size_t left = name.size();
    for (; left >= 8; left -= 8) {
      const std::uint64_t block = load(name.data() + left - 8);
      add_labels(block, chain, name.size() - left);
      chain = mix(chain ^ block);
    }
    std::uint64_t block = 0;
    if (left != 0 && name.size() >= 8) block = load(name.data()) << (64 - 8 * left);
    else
      for (std::size_t i = 0; i < left; ++i)
        block |= std::uint64_t{static_cast<unsigned char>(name[i])} << (64 - 8 * (left - i));
    add_labels(block, chain, name.size() - left);
    hashes_[size_] = left == 0 ? mix(chain) : mix(chain ^ block >> (64 - 8 * left));
    sizes_[size_++] = static_cast<std::uint8_t>(name.size());
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  /// The hash of the last i + 1 labels, and these labels.
  [[nodiscard]] std::uint64_t hash(std::size_t i) const { return hashes_[i]; }
  [[nodiscard]] std::string_view text(std::size_t i) const { return {end_ - sizes_[i], sizes_[i]}; }

private:
  [[nodiscard]] static std::uint64_t mix(std::uint64_t n) {
    n *= 0x9E3779B97F4A7C15;
    return n ^ n >> 32;
  }

  /// Adds the suffixes that start after the dots of a block; `behind` bytes of the name follow the block.
  void add_labels(std::uint64_t block, std::uint64_t chain, std::size_t behind) {
    for (std::uint64_t dots = bytes_equal(block, '.'); dots != 0;) {
      const auto after = static_cast<unsigned>(std::countl_zero(dots)); // bits of the label after the dot
      dots &= ~(std::uint64_t{1} << 63 >> after);
      hashes_[size_] = mix(after == 0 ? chain : chain ^ block >> (64 - after));
      sizes_[size_++] = static_cast<std::uint8_t>(behind + after / 8);
    }
  }

  const char* end_;
  std::size_t size_ = 0;
  // Only the first size_ elements are read. Filling all of them would take most of the time of a look-up.
  std::array<std::uint8_t, 256> sizes_;
  std::array<std::uint64_t, 256> hashes_;
};

} // namespace cordon::detail
