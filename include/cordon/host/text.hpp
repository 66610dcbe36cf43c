// SPDX-License-Identifier: BSL-1.0
/// Small texts stored inside a value, numbers in them, and the character classes of hosts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon::host {

/// A text of at most N bytes. Longer text is cut; `is_cut` then returns true.
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
    char* to = room_for(s);
    for (const char c : s) *to++ = c;
  }
  constexpr void add_lower(std::string_view s) {
    char* to = room_for(s);
    for (const char c : s) *to++ = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  constexpr void add_number(std::uint32_t n, std::uint32_t base) {
    char digits[32]{};
    std::size_t size = 0;
    do digits[size++] = "0123456789abcdef"[n % base];
    while ((n /= base) != 0);
    while (size != 0) add(digits[--size]);
  }

private:
  /// The address to write the text to, which is first cut to the free room. Callers continue in local variables:
  /// constant evaluation pays for each access to a member.
  constexpr char* room_for(std::string_view& s) {
    if (s.size() > N - size_) {
      cut_ = true;
      s = s.substr(0, N - size_);
    }
    size_ += s.size();
    return text_ + (size_ - s.size());
  }

  std::size_t size_ = 0;
  bool cut_ = false;
  char text_[N]{};
};

/// A number; `found` is false if the text is invalid.
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
/// Kinds of characters, as bits.
namespace character_class {
inline constexpr unsigned digit = 1, hex_letter = 2, letter = 4, hyphen = 8, dot = 16, space = 32, at = 64;
inline constexpr unsigned delimiter = 128; ///< one of `:/?#`
inline constexpr unsigned other = 256, beyond_ascii = 512;
} // namespace character_class

struct character_classes {
  unsigned kinds = 0;
  std::size_t size = 0; ///< bytes classified
  [[nodiscard]] constexpr bool only(unsigned these) const { return (kinds & ~these) == 0; }
};

/// Classifies a text up to the first character of the kinds `until`. In one pass, without calls: a compiler pays for
/// each call in constant evaluation.
[[nodiscard]] constexpr character_classes classify(std::string_view text, unsigned until = 0) {
  const char* const first = text.data();
  const std::size_t size = text.size();
  std::size_t i = 0;
  unsigned kinds = 0;
  for (; i < size; ++i) {
    const char c = first[i];
    const unsigned one = c >= 'a' && c <= 'z'   ? (c <= 'f' ? character_class::hex_letter : character_class::letter)
                         : c >= '0' && c <= '9' ? character_class::digit
                         : c == '.'             ? character_class::dot
                         : c == '-' || c == '_' ? character_class::hyphen
                         : c == ':' || c == '/' || c == '?' || c == '#' ? character_class::delimiter
                         : c >= 'A' && c <= 'Z' ? (c <= 'F' ? character_class::hex_letter : character_class::letter)
                         : c == ' ' || (c >= '\t' && c <= '\r') ? character_class::space
                         : c == '@'                             ? character_class::at
                         : static_cast<unsigned char>(c) < 0x80 ? character_class::other
                                                                : character_class::beyond_ascii;
    if ((one & until) != 0) break;
    kinds |= one;
  }
  return {kinds, i};
}

[[nodiscard]] constexpr bool has_any(std::string_view text, std::string_view of) {
  for (const char c : text)
    for (const char wanted : of)
      if (c == wanted) return true;
  return false;
}

} // namespace cordon::host
