// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/format/read.hpp>
#include <cordon/format/write.hpp>

using namespace cordon;
using namespace cordon::format;

TEST_CASE("utf8: what is a character") {
  for (const char* good :
       {"", "a", "\xc2\x80", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf",
        "a\xc3\xbc"
        "b"})
    CHECK(is_utf8(good));
  for (const char* bad : {"\x80", "\xc1\xbf", "\xc2",
                          "\xc2"
                          "a",
                          "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
                          "\xe2\x82", "\xf0\x90\x80", "\xff"})
    CHECK(!is_utf8(bad));
  HOLDS(is_utf8("\xc3\xbc"));
  HOLDS(!is_utf8("\xc3"));
}

TEST_CASE("utf8: each stray byte is replaced, and nothing else") {
  CHECK(as_utf8("a\xff"
                "b\xc3\xbc\xe2\x82") == "a\xef\xbf\xbd"
                                        "b\xc3\xbc\xef\xbf\xbd\xef\xbf\xbd");
  CHECK(as_json("a\xff") == "\"a\xef\xbf\xbd\"");
  CHECK(as_json("a\"") == "\"a\\\"\"");
}

TEST_CASE("utf8: a policy that JSON cannot say") {
  const host_facts facts;
  const auto says = [&](const std::string& text) { return can_be_json(lower(read("p", text, facts), facts)); };
  CHECK(says("read /a\npass A\nset B=x\nconnect 10.0.0.0/8 a\n"));
  CHECK(!says("read \"/a\xff\"\n"));
  CHECK(!says("pass A\xff\n"));
  CHECK(!says("set A=\xff\n"));
}
