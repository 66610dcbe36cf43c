// SPDX-License-Identifier: BSL-1.0
/// Small texts stored inside a value, numbers in them, and the character classes of hosts.
#pragma once

#include "../detail/ascii.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon::host {

/// A text of at most N bytes. Longer text is cut; `is_cut` then returns true.
template <std::size_t N> class small_text {
public:
  /// The text; valid as long as this object.
  [[nodiscard]] constexpr std::string_view view() const { return {text_, size_}; }
  [[nodiscard]] constexpr std::size_t size() const { return size_; } ///< The number of bytes.
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }  ///< Is it empty?
  [[nodiscard]] constexpr bool is_cut() const { return cut_; }       ///< Was text left out for lack of room?
  /// Removes the text.
  constexpr void clear() {
    size_ = 0;
    cut_ = false;
  }

  /// Adds a byte if there is room.
  constexpr void add(char c) {
    if (size_ < N) text_[size_++] = c;
    else cut_ = true;
  }
  /// Adds a text; what does not fit is left out.
  constexpr void add(std::string_view s) {
    char* to = room_for(s);
    const char* c = s.data();
    for (std::size_t left = s.size(); left != 0; --left) *to++ = *c++;
  }
  /// Adds a text in lower case.
  constexpr void add_lower(std::string_view s) {
    char* to = room_for(s);
    const char* c = s.data();
    for (std::size_t left = s.size(); left != 0; --left, ++c)
      *to++ = *c >= 'A' && *c <= 'Z' ? static_cast<char>(*c - 'A' + 'a') : *c;
  }
  /// Adds a number in that base.
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
  bool found = false;                                                      ///< was the text a number that fits?
  std::uint32_t value = 0;                                                 ///< the number
  [[nodiscard]] constexpr explicit operator bool() const { return found; } ///< Was the text a number that fits?
};

/// Digits of a base (8, 10, 16; lower or upper case), nothing else, and at most `most`.
[[nodiscard]] constexpr parsed_number parse_number(std::string_view text, std::uint32_t base, std::uint32_t most) {
  std::uint64_t number = 0;
  for (const char c : text) {
    const std::uint32_t digit = ascii::hex_value(c);
    if (digit >= base) return {};
    number = number * base + digit;
    if (number > most) return {};
  }
  return {!text.empty(), static_cast<std::uint32_t>(number)};
}

/// Kinds of characters, as bits.
namespace character_class {
inline constexpr unsigned digit = 1;          ///< 0 to 9
inline constexpr unsigned hex_letter = 2;     ///< a to f, A to F
inline constexpr unsigned letter = 4;         ///< the other letters of ASCII
inline constexpr unsigned hyphen = 8;         ///< `-` or `_`
inline constexpr unsigned dot = 16;           ///< `.`
inline constexpr unsigned space = 32;         ///< a blank, a tab or a line break
inline constexpr unsigned at = 64;            ///< `@`
inline constexpr unsigned delimiter = 128;    ///< one of `:/?#`
inline constexpr unsigned other = 256;        ///< any other character of ASCII
inline constexpr unsigned beyond_ascii = 512; ///< a byte above 127
} // namespace character_class

/// Which classes a text has.
struct character_classes {
  unsigned kinds = 0;   ///< the classes as bits
  std::size_t size = 0; ///< bytes classified
  /// Has the text only these classes?
  [[nodiscard]] constexpr bool only(unsigned these) const { return (kinds & ~these) == 0; }
};

namespace detail {

/// The class of every byte as a letter: `a` is bit 0 of `character_class`, `b` bit 1, and so on. A text, because compilers
/// take it as it is: to compute a table costs every consumer two hundredths of its compile time.
inline constexpr char class_table[] = "iiiiiiiiifffffiiiiiiiiiiiiiiiiii" // control characters
                                      "fiihiiiiiiiiidehaaaaaaaaaahiiiih" // from ' '
                                      "gbbbbbbcccccccccccccccccccciiiid" // from '@'
                                      "ibbbbbbcccccccccccccccccccciiiii" // from '`'
                                      "jjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjj"
                                      "jjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjj"
                                      "jjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjj"
                                      "jjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjj";
static_assert(sizeof class_table == 257);

} // namespace detail

/// Classifies a text up to the first character of the kinds `until`. In one pass, without calls: a compiler pays for
/// each call and each statement in constant evaluation.
[[nodiscard]] constexpr character_classes classify(std::string_view text, unsigned until = 0) {
  const char* const table = detail::class_table;
  const char* const first = text.data();
  const std::size_t size = text.size();
  std::size_t i = 0;
  unsigned kinds = 0;
  for (unsigned kind = 0; i < size && ((kind = 1U << (table[static_cast<unsigned char>(first[i])] - 'a')) & until) == 0;
       ++i)
    kinds |= kind;
  return {kinds, i};
}

/// Has the text any of the characters?
[[nodiscard]] constexpr bool has_any(std::string_view text, std::string_view of) {
  for (const char c : text)
    for (const char wanted : of)
      if (c == wanted) return true;
  return false;
}

} // namespace cordon::host
