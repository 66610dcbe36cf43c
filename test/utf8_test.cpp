// SPDX-License-Identifier: BSL-1.0
#include "holds.hpp"

#include <cordon/utf8.hpp>

using namespace cordon;

TEST_CASE("utf8: what is a character") {
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
