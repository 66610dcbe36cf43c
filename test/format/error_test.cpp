// SPDX-License-Identifier: BSL-1.0
#include <cordon/format/error.hpp>

#include <doctest/doctest.h>

using namespace cordon;
using namespace cordon::format;

TEST_CASE("error: what() starts with the place, where there is one") {
  const bad_document placed(errc::bad_value, "p.json", 3, 14, "no such word");
  CHECK(std::string(placed.what()) == "p.json:3:14: no such word");
  CHECK(placed.code() == errc::bad_value);
  CHECK(placed.line() == 3);
  CHECK(placed.column() == 14);
  CHECK(std::string(bad_document(errc::unreadable, "p.json", 0, 0, "no such file").what()) == "p.json: no such file");
}

TEST_CASE("error: texts are shown quoted, harmless and short") {
  CHECK(shown("a b") == "\"a b\"");
  CHECK(shown(std::string_view("\x1b[2J\n\0\x7f", 7)) == "\"\\x1b[2J\\x0a\\x00\\x7f\"");
  CHECK(shown("\xc3\xbc") == "\"\xc3\xbc\"");
  CHECK(shown(std::string(60, 'x')) == "\"" + std::string(60, 'x') + "\"");
  CHECK(shown(std::string(61, 'x')) == "\"" + std::string(60, 'x') + "...\"");
}
