// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/identity.hpp>

#include <doctest/doctest.h>

#include <set>

using namespace cordon;

TEST_CASE("identity: a time is written in UTC, to the millisecond, by the proleptic Gregorian calendar") {
  constexpr std::uint64_t second = 1'000'000'000;
  CHECK(utc_text(0) == "1970-01-01T00:00:00.000Z");
  CHECK(utc_text(999'999) == "1970-01-01T00:00:00.000Z");
  CHECK(utc_text(second - 1) == "1970-01-01T00:00:00.999Z");
  CHECK(utc_text(951'826'154 * second + 7'000'000) == "2000-02-29T12:09:14.007Z");
  CHECK(utc_text(1'769'860'800 * second) == "2026-01-31T12:00:00.000Z");
}

TEST_CASE("identity: each run has 32 hexadecimal digits of its own, and the time of now") {
  std::set<std::string> seen;
  std::uint64_t last = 1'769'860'800'000'000'000; // this test was written later
  for (int i = 0; i < 20; ++i) {
    const run_identity id = new_identity();
    CHECK(id.run.size() == 32);
    CHECK(id.run.find_first_not_of("0123456789abcdef") == id.run.npos);
    CHECK(seen.insert(id.run).second);
    CHECK(id.started >= last);
    last = id.started;
  }
}
