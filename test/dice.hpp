// SPDX-License-Identifier: BSL-1.0
/// Pseudo-random numbers, the same on every machine and in every run: a failure names its seed.
#pragma once

#include <cstddef>
#include <cstdint>

class dice {
public:
  /// Mixed once: otherwise neighbouring seeds would start the same sequence one step apart.
  explicit dice(std::uint64_t seed) : state_(seed) { state_ = next(); }

  /// splitmix64, by Sebastiano Vigna, public domain.
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  /// 0 to n - 1.
  std::uint32_t below(std::size_t n) { return static_cast<std::uint32_t>((next() >> 32) * n >> 32); }
  bool percent(std::uint32_t n) { return below(100) < n; }
  template <class T, std::size_t N> const T& one_of(const T (&items)[N]) { return items[below(N)]; }

private:
  std::uint64_t state_;
};
