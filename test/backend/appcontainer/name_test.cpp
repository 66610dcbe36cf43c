// SPDX-License-Identifier: BSL-1.0
#include <cordon/backend/appcontainer/name.hpp>

#include "holds.hpp"

#include <string>

namespace appcontainer_name_test {

using namespace cordon;

TEST_CASE("appcontainer: a name is valid if Windows has it and reads it in one way") {
  using appcontainer::is_name;
  HOLDS(is_name("/", 'C') && is_name("/srv/job/a b-c_d.e", 'C') && is_name("/caf\xC3\xA9/\xF0\x9F\x98\x80", 'C'));
  for (const char* bad : {"/a:b",
                          "/a\"b",
                          "/a|b",
                          "/a<",
                          "/a>b",
                          "/a?",
                          "/a*",
                          "/a\\b",
                          "/a\n",
                          "/a\x1F",
                          "/a.",
                          "/a ",
                          "/a./b",
                          "/...",
                          "/\xFF",
                          "/\xC3",
                          "/\xC0\xAF",
                          "/\xED\xA0\x80",
                          "/\xF4\x90\x80\x80",
                          "/con",
                          "/x/NUL",
                          "/aux.txt",
                          "/com1",
                          "/LPT9.log",
                          "/com\xC2\xB9",
                          "/con .txt",
                          "/CONIN$",
                          "/PROGRA~1",
                          "/x/abc~12.txt",
                          "/C:/x",
                          "/C:"}) {
    CAPTURE(bad);
    CHECK(!is_name(bad, 'C'));
  }
  for (const char* good : {"/.git", "/..a", "/console", "/com", "/com0x", "/nul2", "/a~b", "/~1", "/longerthan8~1",
                           "/-x", "/a~1.text", "/x,y;z'(allow)"}) {
    CAPTURE(good);
    CHECK(is_name(good, 'C'));
  }
  HOLDS(is_name("/C:", 0) && is_name("/Z:/x/y", 0) && is_name("/", 0));
  HOLDS(!is_name("/c:/x", 0) && !is_name("/usr", 0) && !is_name("/C:x", 0) && !is_name("/CC:/x", 0));
  HOLDS(!is_name("/C:/D:/x", 0) && !is_name("/1:/x", 0) && !is_name("/C", 0));
  CHECK(!is_name("/" + std::string(256, 'a'), 'C'));
  CHECK(is_name("/" + std::string(255, 'a'), 'C'));
  const auto written = [](std::string_view place, char drive) {
    std::string out;
    appcontainer::write_name(place, drive, [&](std::string_view piece) { out += piece; });
    return out;
  };
  CHECK(written("/", 'C') == "C:\\");
  CHECK(written("/srv/a b", 'D') == "D:\\srv\\a b");
  CHECK(written("/C:", 0) == "C:\\");
  CHECK(written("/C:/srv/x", 0) == "C:\\srv\\x");
  CHECK(written("/", 0) == "*:\\");
  CHECK(written("/C:/a\x7f/\xc2\x9b"
                "2J\xe2\x80\xae\xc3\xbc",
                0) == "C:\\a<U+007f>\\<U+009b>2J<U+202e>\xc3\xbc");
}

TEST_CASE("appcontainer: paths are compared as NTFS compares them") {
  using tree = appcontainer::ntfs_tree;
  HOLDS(tree::order("/a/B", "/A/b") == 0 && tree::order("/a", "/A/b") < 0 && tree::order("/a/b", "/A-") < 0);
  HOLDS(tree::order("/", "/a") < 0 && tree::order("/B", "/a") > 0);
  HOLDS(tree::covers("/Srv", "/sRV/x") && tree::covers("/", "/x") && !tree::covers("/srv", "/SRVx"));
  HOLDS(!tree::covers("/srv/x", "/srv") && !tree::covers("/\xC3\x89", "/\xC3\xA9"));
}

} // namespace appcontainer_name_test
