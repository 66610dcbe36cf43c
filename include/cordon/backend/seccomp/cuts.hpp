// SPDX-License-Identifier: BSL-1.0
/// The questions that tell the intervals apart. An interval of one number between two that decide alike is found by a
/// single comparison for equality, where two cuts would be needed to get around it.
#pragma once

#include "intervals.hpp"

#include <cstddef>
#include <cstdint>

namespace cordon::seccomp {

struct cut {
  std::uint32_t number;
  decision what;   ///< from the number on; of the number alone, where `alone` is set
  decision around; ///< below the number
  bool alone;
};

class cuts {
public:
  constexpr explicit cuts(const intervals& from) : lowest_(from[0].what) {
    decision around = lowest_;
    for (std::size_t i = 1; i < from.size(); ++i) {
      const auto [first, what] = from[i];
      const bool alone = i + 1 < from.size() && from[i + 1].first == first + 1 && from[i + 1].what == around;
      at_[size_++] = {first, what, around, alone};
      if (alone) ++i;
      else around = what;
    }
  }

  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr const cut& operator[](std::size_t i) const { return at_[i]; }
  [[nodiscard]] constexpr decision lowest() const { return lowest_; }

private:
  cut at_[intervals::capacity];
  std::size_t size_ = 0;
  decision lowest_;
};

} // namespace cordon::seccomp
