// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/policy/diagnostic.hpp>

namespace policy_diagnostic_test {

using namespace cordon;

namespace {

constexpr result<int> half(int n) {
  if (n % 2 != 0) return diagnostic{diagnostic_code::bad_value, 3, 4, "odd"};
  return n / 2;
}

} // namespace

TEST_CASE("diagnostic: every code has a name of its own") {
  for (int i = 0; i <= static_cast<int>(diagnostic_code::not_empty); ++i) {
    CHECK(name(static_cast<diagnostic_code>(i)) != "unknown");
    for (int j = 0; j < i; ++j) CHECK(name(static_cast<diagnostic_code>(i)) != name(static_cast<diagnostic_code>(j)));
  }
  HOLDS(name(static_cast<diagnostic_code>(255)) == "unknown");
}

TEST_CASE("diagnostic: the numbers of the codes are stable") {
  HOLDS(static_cast<int>(diagnostic_code::ok) == 0);
  HOLDS(static_cast<int>(diagnostic_code::duplicate_key) == 3);
  HOLDS(static_cast<int>(diagnostic_code::bad_path) == 8);
  HOLDS(static_cast<int>(diagnostic_code::unreadable) == 14);
  HOLDS(static_cast<int>(diagnostic_code::target_refused) == 15);
  HOLDS(static_cast<int>(diagnostic_code::not_empty) == 17);
}

TEST_CASE("diagnostic: equal only in code, place and subject") {
  HOLDS(diagnostic{diagnostic_code::syntax, 1, 2, "a"} == diagnostic{diagnostic_code::syntax, 1, 2, "a"});
  HOLDS(diagnostic{diagnostic_code::syntax, 1, 2, "a"} != diagnostic{diagnostic_code::syntax, 1, 3, "a"});
  HOLDS(diagnostic{diagnostic_code::syntax, 1, 2, "a"} != diagnostic{diagnostic_code::syntax, 1, 2, "b"});
}

TEST_CASE("diagnostic: a result is a value or says why there is none") {
  HOLDS(static_cast<bool>(half(4)));
  HOLDS(*half(4) == 2);
  HOLDS(!half(3));
  HOLDS(half(3).error() == diagnostic{diagnostic_code::bad_value, 3, 4, "odd"});
  HOLDS(!result<int>(diagnostic_code::syntax));
  HOLDS(result<int>(diagnostic_code::syntax).error().code == diagnostic_code::syntax);
  result<std::string_view> text(std::string_view("abc"));
  CHECK(text->size() == 3);
  *text = "de";
  CHECK(*text == "de");
}

TEST_CASE("diagnostic: value_or and and_then of a result pass the error on") {
  HOLDS(half(4).value_or(7) == 2);
  HOLDS(half(3).value_or(7) == 7);
  HOLDS(*half(8).and_then(half) == 2);
  HOLDS(half(6).and_then(half).error().code == diagnostic_code::bad_value);
  HOLDS(half(3).and_then(half).error().subject == "odd");
  constexpr result<int> four = half(8);
  HOLDS(four.value_or(0) == 4);
  HOLDS(*four.and_then([](int n) { return result<long>(n + 1L); }) == 5);
}

} // namespace policy_diagnostic_test
