// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/detail/utf8.hpp>

#include <string>

namespace detail_utf8_test {

using namespace cordon;

TEST_CASE("utf8: valid sequences are characters, others are not") {
  for (const char* good :
       {"", "a", "\xc2\x80", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf",
        "a\xc3\xbc"
        "b"})
    CHECK(utf8::is_text(good));
  for (const char* bad : {"\x80", "\xc0\x80", "\xc1\xbf", "\xc2",
                          "\xc2"
                          "a",
                          "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
                          "\xe2\x82", "\xf0\x90\x80", "\xff"})
    CHECK(!utf8::is_text(bad));
  HOLDS(utf8::is_text("\xc3\xbc"));
  HOLDS(!utf8::is_text("\xc3"));
}

namespace {

constexpr std::size_t printed_size(std::string_view text) {
  std::size_t size = 0;
  utf8::write_printable(text, [&](std::string_view piece) { size += piece.size(); });
  return size;
}

std::string printed(std::string_view text) {
  std::string out;
  utf8::write_printable(text, [&](std::string_view piece) { out += piece; });
  return out;
}

constexpr std::uint32_t digits_of(std::string_view character) {
  std::uint32_t number = 0;
  utf8::write_code_point(character, [&](std::string_view d) {
    number = number * 16 + static_cast<std::uint32_t>(d[0] <= '9' ? d[0] - '0' : d[0] - 'a' + 10);
  });
  return number;
}

} // namespace

TEST_CASE("utf8: a character is decoded to its code point") {
  HOLDS(utf8::code_point("a") == 0x61 && utf8::code_point("\x7f") == 0x7F && utf8::code_point("\xc2\x9b") == 0x9B);
  HOLDS(utf8::code_point("\xdf\xbf") == 0x7FF && utf8::code_point("\xe2\x80\xae") == 0x202E);
  HOLDS(utf8::code_point("\xef\xbf\xbf") == 0xFFFF && utf8::code_point("\xf4\x8f\xbf\xbf") == 0x10FFFF);
  for (const char* control : {"\x1b", "\x7f", "\xc2\x9b", "\xd8\x9c", "\xe2\x80\xae"})
    CHECK(digits_of(control) == utf8::code_point(control));
  HOLDS(digits_of("\xe2\x81\xa9") == 0x2069);
}

TEST_CASE("utf8: control characters are escaped for printing, and nothing else is changed") {
  CHECK(printed("a b\\ \xc3\xbc \xf0\x9f\x94\x92") == "a b\\ \xc3\xbc \xf0\x9f\x94\x92");
  CHECK(printed("\x1b]0;x\x07\n") == "\\x1b]0;x\\x07\\x0a");
  CHECK(printed("\x7f\xc2\x9b"
                "2J") == "\\x7f\\xc2\\x9b2J");
  CHECK(printed("\xff\xc3") == "\\xff\\xc3");
  CHECK(printed("\xe2\x80\xae\xe2\x81\xa6\xe2\x80\xa8\xd8\x9c") ==
        "\\xe2\\x80\\xae\\xe2\\x81\\xa6\\xe2\\x80\\xa8\\xd8\\x9c");
  CHECK(printed("\xc2\xa0\xe2\x80\x93\xd8\xa7") == "\xc2\xa0\xe2\x80\x93\xd8\xa7");
  HOLDS(printed_size("\x1b") == 4 && printed_size("a") == 1);
  HOLDS(utf8::is_printable("a \xc3\xbc") && !utf8::is_printable("\n") && !utf8::is_printable("\x80"));
  for (int c = 0; c < 256; ++c) {
    const char byte = static_cast<char>(c);
    CHECK(utf8::is_printable(printed({&byte, 1})));
    CHECK((printed({&byte, 1}).size() == 1) == (c >= 0x20 && c < 0x7f));
  }
}

} // namespace detail_utf8_test
