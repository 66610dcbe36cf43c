// SPDX-License-Identifier: BSL-1.0
#include <cordon/format/error.hpp>

#include <doctest/doctest.h>

using namespace cordon;
using namespace cordon::format;

TEST_CASE("error: what() starts with file, line and column if they are known") {
  const bad_document placed(diagnostic_code::bad_value, "p.json", 3, 14, "no such word");
  CHECK(std::string(placed.what()) == "p.json:3:14: no such word");
  CHECK(placed.code() == diagnostic_code::bad_value);
  CHECK(placed.line() == 3);
  CHECK(placed.column() == 14);
  CHECK(std::string(bad_document(diagnostic_code::unreadable, "p.json", 0, 0, "no such file").what()) ==
        "p.json: no such file");
}

TEST_CASE("error: quoted texts are escaped and shortened") {
  CHECK(shown("a b") == "\"a b\"");
  CHECK(shown(std::string_view("\x1b[2J\n\0\x7f", 7)) == "\"\\x1b[2J\\x0a\\x00\\x7f\"");
  CHECK(shown("\xc3\xbc") == "\"\xc3\xbc\"");
  CHECK(shown(std::string(60, 'x')) == "\"" + std::string(60, 'x') + "\"");
  CHECK(shown(std::string(61, 'x')) == "\"" + std::string(60, 'x') + "...\"");
}
