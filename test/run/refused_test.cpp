// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/refused.hpp>

#include <doctest/doctest.h>

#include <exception>
#include <string>

using namespace cordon;

namespace {

constexpr reason plain{"test.plain", "cannot start"};
constexpr reason with_values{"test.values", "cannot open {}: {}; run as its owner"};

} // namespace

TEST_CASE("refused: values take the places of the braces in their order") {
  CHECK(text_of(plain, {}) == "cannot start");
  CHECK(text_of(with_values, {"/srv/x", "permission denied"}) ==
        "cannot open /srv/x: permission denied; run as its owner");
  CHECK(text_of(with_values, {"/srv/{}", ""}) == "cannot open /srv/{}: ; run as its owner");
}

TEST_CASE("refused: an exception has the reason's ID, and more behind its text") {
  const refused more = refused::with_more(plain, ": no such file");
  CHECK(more.id() == "test.plain");
  CHECK(std::string(more.what()) == "cannot start: no such file");
}

TEST_CASE("refused: what the library throws has one base, and is an exception of the standard library") {
  const auto caught = [](const auto& thrown) {
    std::string as_error, as_standard;
    try {
      throw thrown;
    } catch (const error& e) { as_error = e.what(); }
    try {
      throw thrown;
    } catch (const std::exception& e) { as_standard = e.what(); }
    CHECK(as_error == as_standard);
    return as_error;
  };
  CHECK(caught(refused::with_more(plain, "")) == "cannot start");
  CHECK(caught(format::bad_document(diagnostic_code::syntax, "job.json", 2, 7, "a comma is missing")) ==
        "job.json:2:7: a comma is missing");
  CHECK(caught(policy_overflow()).starts_with("the policy is too large: "));
}
