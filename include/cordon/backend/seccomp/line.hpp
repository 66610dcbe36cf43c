// SPDX-License-Identifier: BSL-1.0
/// One line of text, built without allocation. Text beyond the capacity is cut off.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon::seccomp {

class line {
public:
  constexpr line() = default;

  [[nodiscard]] constexpr std::string_view text() const { return {at_, size_}; }

  constexpr line& operator<<(std::string_view more) {
    for (const char c : more)
      if (size_ < sizeof at_) at_[size_++] = c;
    return *this;
  }
  constexpr line& decimal(std::uint32_t number, std::size_t width = 0) { return digits(number, 10, width, ' '); }
  constexpr line& hexadecimal(std::uint32_t number) { return *this << "0x", digits(number, 16, 0, '0'); }

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
