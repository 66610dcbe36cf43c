// SPDX-License-Identifier: BSL-1.0
/// One line of text, built without allocation. Text beyond the capacity is cut off.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon::seccomp {

/// A line of text without allocation, cut at its capacity.
class line {
public:
  constexpr line() = default;

  /// The text so far; valid as long as this line.
  [[nodiscard]] constexpr std::string_view text() const { return {at_, size_}; }

  /// Adds a text.
  constexpr line& operator<<(std::string_view more) {
    for (const char c : more)
      if (size_ < sizeof at_) at_[size_++] = c;
    return *this;
  }
  /// Adds a decimal number, padded with blanks in front up to `width`.
  constexpr line& decimal(std::uint32_t number, std::size_t width = 0) { return digits(number, 10, width, ' '); }
  /// Adds a number as `0x` and hexadecimal digits.
  constexpr line& hexadecimal(std::uint32_t number) {
    *this << "0x";
    return digits(number, 16, 0, '0');
  }

private:
  constexpr line& digits(std::uint32_t number, std::uint32_t base, std::size_t width, char filler) {
    char reversed[16]{};
    std::size_t n = 0;
    do reversed[n++] = "0123456789abcdef"[number % base];
    while ((number /= base) != 0);
    while (n < width && n < sizeof reversed) reversed[n++] = filler;
    while (n > 0) *this << std::string_view{&reversed[--n], 1};
    return *this;
  }

  char at_[120]{};
  std::size_t size_ = 0;
};

} // namespace cordon::seccomp
