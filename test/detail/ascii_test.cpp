// SPDX-License-Identifier: BSL-1.0
#include "holds.hpp"

#include <cordon/detail/ascii.hpp>

#include <string_view>

namespace detail_ascii_test {

namespace {

using namespace cordon;

constexpr std::string_view digits = "0123456789", small = "abcdefghijklmnopqrstuvwxyz",
                           capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

constexpr bool has(std::string_view text, char c) { return text.find(c) != text.npos; }

} // namespace

TEST_CASE("ascii: classes and case of all 256 bytes") {
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    CAPTURE(byte);
    CHECK(ascii::is_digit(c) == has(digits, c));
    CHECK(ascii::is_lower(c) == has(small, c));
    CHECK(ascii::is_upper(c) == has(capitals, c));
    CHECK(ascii::is_letter(c) == (has(small, c) || has(capitals, c)));
    CHECK(ascii::is_alphanumeric(c) == (has(digits, c) || has(small, c) || has(capitals, c)));
    CHECK(ascii::lower(c) == (has(capitals, c) ? small[capitals.find(c)] : c));
    CHECK(ascii::upper(c) == (has(small, c) ? capitals[small.find(c)] : c));
    const bool is_hex = has("0123456789abcdefABCDEF", c);
    CHECK(ascii::hex_value(c) == (is_hex ? std::string_view("0123456789abcdef").find(ascii::lower(c)) : 16));
  }
}

TEST_CASE("ascii: texts that differ in the case of letters are the same") {
  HOLDS(ascii::same_in_any_case("", ""));
  HOLDS(ascii::same_in_any_case("CON", "con"));
  HOLDS(ascii::same_in_any_case("com1", "CoM1"));
  HOLDS(!ascii::same_in_any_case("con", "cons"));
  HOLDS(!ascii::same_in_any_case("com1", "com2"));
  HOLDS(!ascii::same_in_any_case("@", "`"));
  HOLDS(!ascii::same_in_any_case("[", "{"));
  HOLDS(!ascii::same_in_any_case("\xC4", "\xE4")); // letters of Latin-1
}

} // namespace detail_ascii_test
