// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/policy/owned_text.hpp>

#include <string>

using cordon::owned_text;

TEST_CASE("a text is kept beyond the life of the one that it came from") {
  std::string from = "name";
  const owned_text<8> kept = from;
  from = "else";
  CHECK(std::string_view(kept) == "name");
}

TEST_CASE("what does not fit is cut off and said to be") {
  HOLDS(std::string_view(owned_text<4>("abcd")) == "abcd");
  HOLDS(!owned_text<4>("abcd").is_cut());
  HOLDS(std::string_view(owned_text<4>("abcde")) == "abcd");
  HOLDS(owned_text<4>("abcde").is_cut());
  HOLDS(std::string_view(owned_text<4>()).empty());
}
