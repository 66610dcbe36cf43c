// SPDX-License-Identifier: BSL-1.0
/// Small texts inside a value, numbers in them, and the classes of characters that hosts are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon::host {

/// A text of at most N bytes; what does not fit is cut off, and remembered.
template <std::size_t N> class small_text {
public:
  [[nodiscard]] constexpr std::string_view view() const { return {text_, size_}; }
  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
  [[nodiscard]] constexpr bool is_cut() const { return cut_; }
  constexpr void clear() {
    size_ = 0;
    cut_ = false;
  }

  constexpr void add(char c) {
    if (size_ < N) text_[size_++] = c;
    else cut_ = true;
  }
  constexpr void add(std::string_view s) {
    for (const char c : s) add(c);
  }
  constexpr void add_number(std::uint32_t n, std::uint32_t base) {
    char digits[32]{};
    std::size_t size = 0;
    do digits[size++] = "0123456789abcdef"[n % base];
    while ((n /= base) != 0);
    while (size != 0) add(digits[--size]);
  }

private:
  std::size_t size_ = 0;
  bool cut_ = false;
  char text_[N]{};
};

/// A number, or none.
struct parsed_number {
  bool found = false;
  std::uint32_t value = 0;
  [[nodiscard]] constexpr explicit operator bool() const { return found; }
};

/// Digits of a base (8, 10, 16; lower or upper case), nothing else, and at most `most`.
[[nodiscard]] constexpr parsed_number parse_number(std::string_view text, std::uint32_t base, std::uint32_t most) {
  std::uint64_t number = 0;
  for (const char c : text) {
    std::uint32_t digit = 16;
    if (c >= '0' && c <= '9') digit = static_cast<std::uint32_t>(c - '0');
    else if (c >= 'a' && c <= 'f') digit = static_cast<std::uint32_t>(c - 'a') + 10;
    else if (c >= 'A' && c <= 'F') digit = static_cast<std::uint32_t>(c - 'A') + 10;
    if (digit >= base) return {};
    number = number * base + digit;
    if (number > most) return {};
  }
  return {!text.empty(), static_cast<std::uint32_t>(number)};
}

[[nodiscard]] constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_ascii(std::string_view text) {
  for (const char c : text)
    if (static_cast<unsigned char>(c) >= 0x80) return false;
  return true;
}
[[nodiscard]] constexpr bool has_any(std::string_view text, std::string_view of) {
  return text.find_first_of(of) != text.npos;
}

} // namespace cordon::host
