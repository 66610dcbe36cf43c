// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/policy/limits.hpp>

namespace policy_limits_test {

using namespace cordon;

namespace {

/// The compiler warns of an enumerator that is missing here.
constexpr std::string_view expected_name(limit l) {
  switch (l) {
  case limit::timeout: return "timeout";
  case limit::cpu: return "cpu";
  case limit::memory: return "memory";
  case limit::processes: return "processes";
  case limit::open_files: return "open_files";
  case limit::file_size: return "file_size";
  case limit::output: return "output";
  }
  return "";
}

constexpr limits some(std::uint64_t memory, std::uint64_t timeout) {
  return limits().set(limit::memory, memory).set(limit::timeout, timeout);
}

constexpr bool laws_hold() {
  const std::uint64_t values[]{1, 2, limits::greatest, limits::unlimited};
  for (const auto x : values)
    for (const auto y : values)
      for (const auto z : values) {
        const limits a = some(x, y), b = some(y, z), c = some(z, x);
        if ((a & b) != (b & a) || (a & a) != a || ((a & b) & c) != (a & (b & c))) return false;
        if ((a <= b) != (x <= y && y <= z) || (a <= b) != ((a & b) == a)) return false;
        if ((c <= a && c <= b) != (c <= (a & b))) return false;
        if ((a & limits()) != a || (a & limits::least()) != limits::least()) return false;
      }
  return true;
}

} // namespace

TEST_CASE("limits: every limit has a row, a name and one kind of text") {
  for (std::size_t i = 0; i < limit_names.size(); ++i) {
    const limit_row& l = limit_table[i];
    CAPTURE(l.name);
    CHECK(l.name == expected_name(static_cast<limit>(i)));
    CHECK(l.quantity != limit_text::quantity::seconds);
    CHECK(is_duration(l.which) == (l.quantity == limit_text::quantity::duration));
    for (std::size_t j = 0; j < i; ++j) CHECK(limit_names[i] != limit_names[j]);
  }
  // An enumerator without a row is the first number behind the table.
  CHECK(expected_name(static_cast<limit>(limit_names.size())).empty());
  HOLDS(is_duration(limit::timeout) && is_duration(limit::cpu));
  HOLDS(row_of(limit::processes).quantity == limit_text::quantity::count);
  HOLDS(row_of(limit::open_files).quantity == limit_text::quantity::count);
  HOLDS(row_of(limit::memory).quantity == limit_text::quantity::size);
  HOLDS(row_of(limit::output).quantity == limit_text::quantity::size);
}

TEST_CASE("limits: cordon itself enforces the clock and the output") {
  for (const limit_row& l : limit_table) CHECK(l.by_cordon == (l.which == limit::timeout || l.which == limit::output));
}

TEST_CASE("limits: an option has a value of the limit's kind, and a help text") {
  for (const limit_row& l : limit_table) {
    CAPTURE(l.name);
    CHECK(l.option.name.empty() == l.option.help.empty());
    if (l.option.name.empty()) continue;
    CHECK(l.option.name.starts_with("--"));
    CHECK((l.option.quantity == l.quantity ||
           (is_duration(l.which) && l.option.quantity == limit_text::quantity::seconds)));
  }
}

TEST_CASE("limits: a limit that is not set is unlimited, and limits are independent") {
  HOLDS(!limits().has(limit::memory));
  HOLDS(limits()[limit::memory] == limits::unlimited);
  HOLDS(some(5, 7)[limit::memory] == 5);
  HOLDS(some(5, 7)[limit::timeout] == 7);
  HOLDS(some(5, 7).has(limit::timeout));
  HOLDS(!some(5, 7).has(limit::cpu));
  HOLDS(limits::least()[limit::output] == 1);
}

TEST_CASE("limits: the meet is the minimum, limit by limit") {
  HOLDS(laws_hold());
  HOLDS((some(5, limits::unlimited) & some(limits::unlimited, 7)) == some(5, 7));
  HOLDS(!(some(5, 7) <= some(5, 6)));
  HOLDS(some(4, 6) <= some(5, 6));
  HOLDS(!(some(4, 7) <= some(5, 6)));
  HOLDS(some(5, 7) != some(5, 8));
}

TEST_CASE("limits: try_set leaves the limits unchanged if the value is 0") {
  limits l;
  CHECK(!l.try_set(limit::memory, 0));
  CHECK(!l.has(limit::memory));
  CHECK(l.try_set(limit::memory, 7));
  CHECK(l[limit::memory] == 7);
}

} // namespace policy_limits_test
