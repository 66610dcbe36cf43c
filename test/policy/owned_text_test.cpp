// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/policy/owned_text.hpp>

#include <string>

namespace policy_owned_text_test {

using cordon::owned_text;

TEST_CASE("owned_text: the text outlives its source") {
  std::string from = "name";
  const owned_text<8> kept = from;
  from = "else";
  CHECK(std::string_view(kept) == "name");
}

TEST_CASE("owned_text: a text that does not fit is cut, and is_cut reports it") {
  HOLDS(std::string_view(owned_text<4>("abcd")) == "abcd");
  HOLDS(!owned_text<4>("abcd").is_cut());
  HOLDS(std::string_view(owned_text<4>("abcde")) == "abcd");
  HOLDS(owned_text<4>("abcde").is_cut());
  HOLDS(std::string_view(owned_text<4>()).empty());
}

} // namespace policy_owned_text_test
