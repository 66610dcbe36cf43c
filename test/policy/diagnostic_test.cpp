// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/policy/diagnostic.hpp>

using namespace cordon;

namespace {

constexpr result<int> half(int n) {
  if (n % 2 != 0) return diagnostic{errc::bad_value, 3, 4, "odd"};
  return n / 2;
}

} // namespace

TEST_CASE("diagnostic: every code has a name of its own") {
  for (int i = 0; i <= static_cast<int>(errc::target_refused); ++i) {
    CHECK(name(static_cast<errc>(i)) != "unknown");
    for (int j = 0; j < i; ++j) CHECK(name(static_cast<errc>(i)) != name(static_cast<errc>(j)));
  }
  HOLDS(name(static_cast<errc>(255)) == "unknown");
}

TEST_CASE("diagnostic: the numbers of the codes are stable") {
  HOLDS(static_cast<int>(errc::ok) == 0);
  HOLDS(static_cast<int>(errc::duplicate_key) == 3);
  HOLDS(static_cast<int>(errc::bad_path) == 8);
  HOLDS(static_cast<int>(errc::unreadable) == 14);
  HOLDS(static_cast<int>(errc::target_refused) == 15);
}

TEST_CASE("diagnostic: equal only in code, place and subject") {
  HOLDS(diagnostic{errc::syntax, 1, 2, "a"} == diagnostic{errc::syntax, 1, 2, "a"});
  HOLDS(diagnostic{errc::syntax, 1, 2, "a"} != diagnostic{errc::syntax, 1, 3, "a"});
  HOLDS(diagnostic{errc::syntax, 1, 2, "a"} != diagnostic{errc::syntax, 1, 2, "b"});
}

TEST_CASE("diagnostic: a result is a value or says why there is none") {
  HOLDS(static_cast<bool>(half(4)));
  HOLDS(*half(4) == 2);
  HOLDS(!half(3));
  HOLDS(half(3).error() == diagnostic{errc::bad_value, 3, 4, "odd"});
  HOLDS(!result<int>(errc::syntax));
  HOLDS(result<int>(errc::syntax).error().code == errc::syntax);
  result<std::string_view> text(std::string_view("abc"));
  CHECK(text->size() == 3);
  *text = "de";
  CHECK(*text == "de");
}
