// SPDX-License-Identifier: BSL-1.0
#include <cordon/format/read.hpp>
#include <cordon/format/write.hpp>

#include <doctest/doctest.h>

using namespace cordon;
using namespace cordon::format;

TEST_CASE("utf8: each stray byte is replaced, and nothing else") {
  CHECK(as_utf8("a\xff"
                "b\xc3\xbc\xe2\x82") == "a\xef\xbf\xbd"
                                        "b\xc3\xbc\xef\xbf\xbd\xef\xbf\xbd");
  CHECK(as_json("a\xff") == "\"a\xef\xbf\xbd\"");
  CHECK(as_json("a\"") == "\"a\\\"\"");
}

TEST_CASE("utf8: a policy with paths that are not UTF-8 cannot be written as JSON") {
  const host_facts facts;
  const auto says = [&](const std::string& text) {
    return can_be_json(lower_lexically(read("p", text, facts), facts));
  };
  CHECK(says("read /a\npass A\nset B=x\nconnect 10.0.0.0/8 a\n"));
  CHECK(!says("read \"/a\xff\"\n"));
  CHECK(!says("pass A\xff\n"));
  CHECK(!says("set A=\xff\n"));
}
