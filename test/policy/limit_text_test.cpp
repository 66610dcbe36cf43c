// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"
#include "../vectors.hpp"

#include <cordon/policy/limit_text.hpp>

namespace policy_limit_text_test {

using namespace cordon;
using limit_text::flaw;
using limit_text::quantity;

namespace {

constexpr bool reads(std::string_view text, quantity k, std::uint64_t wanted) {
  const auto p = limit_text::parse(text, k);
  return p && p.value == wanted;
}
constexpr flaw flaw_of(std::string_view text, quantity k) { return limit_text::parse(text, k).why; }

quantity quantity_of(const std::string& name) {
  if (name == "size") return quantity::size;
  if (name == "duration") return quantity::duration;
  if (name == "seconds") return quantity::seconds;
  if (name == "count") return quantity::count;
  throw std::runtime_error("unknown kind " + name);
}

} // namespace

TEST_CASE("limit_text: every flaw has a name and a sentence of its own") {
  for (int i = 0; i <= static_cast<int>(flaw::zero); ++i)
    for (int j = 0; j < i; ++j) {
      CHECK(name(static_cast<flaw>(i)) != name(static_cast<flaw>(j)));
      CHECK(explain(static_cast<flaw>(i)) != explain(static_cast<flaw>(j)));
    }
  HOLDS(name(flaw::zero) == "zero");
}

TEST_CASE("limit_text: each unit has its factor") {
  HOLDS(reads("3B", quantity::size, 3));
  HOLDS(reads("3kB", quantity::size, 3000));
  HOLDS(reads("3MB", quantity::size, 3'000'000));
  HOLDS(reads("3TB", quantity::size, 3'000'000'000'000));
  HOLDS(reads("3MiB", quantity::size, 3ULL << 20));
  HOLDS(reads("3TiB", quantity::size, 3ULL << 40));
  HOLDS(reads("3ns", quantity::duration, 3));
  HOLDS(reads("3us", quantity::duration, 3000));
  HOLDS(reads("3ms", quantity::duration, 3'000'000));
  HOLDS(reads("3min", quantity::duration, 180'000'000'000));
  HOLDS(reads("3h", quantity::duration, 10'800'000'000'000));
  HOLDS(reads("3d", quantity::duration, 259'200'000'000'000));
  HOLDS(reads("3", quantity::seconds, 3'000'000'000));
  HOLDS(reads("0009", quantity::count, 9));
  HOLDS(flaw_of("3s", quantity::size) == flaw::bad_unit);
  HOLDS(flaw_of("3B", quantity::duration) == flaw::bad_unit);
  HOLDS(flaw_of("3 ", quantity::duration) == flaw::missing_unit);
  HOLDS(reads("3 ", quantity::size, 3));
  HOLDS(flaw_of("3 ", quantity::count) == flaw::bad_number);
}

TEST_CASE("limit_text: fractions are exact however many digits they have") {
  HOLDS(reads("0.5KiB", quantity::size, 512));
  HOLDS(reads("0.0009765625KiB", quantity::size, 1));
  HOLDS(reads("0.00097656250000000000000000000000000000KiB", quantity::size, 1));
  HOLDS(flaw_of("0.00097656250000000000000000000000000001KiB", quantity::size) == flaw::not_whole);
  HOLDS(flaw_of("0.5B", quantity::size) == flaw::not_whole);
  HOLDS(reads("1.0B", quantity::size, 1));
  HOLDS(reads("0.000000001s", quantity::duration, 1));
  HOLDS(flaw_of("0.0000000001s", quantity::duration) == flaw::not_whole);
  HOLDS(flaw_of("0.0s", quantity::duration) == flaw::zero);
  HOLDS(flaw_of("1.2.3s", quantity::duration) == flaw::bad_number);
  HOLDS(flaw_of("1.s", quantity::duration) == flaw::bad_number);
}

TEST_CASE("limit_text: the largest value is 2^63-1") {
  HOLDS(reads("9223372036854775807", quantity::size, limits::greatest));
  HOLDS(reads("9223372036854775807.000", quantity::size, limits::greatest));
  HOLDS(flaw_of("9223372036854775807.5", quantity::size) == flaw::too_large);
  HOLDS(flaw_of("9223372036854775808", quantity::size) == flaw::too_large);
  HOLDS(flaw_of("99999999999999999999999999", quantity::count) == flaw::too_large);
  HOLDS(flaw_of("18446744073709551621", quantity::size) == flaw::too_large);
  HOLDS(flaw_of("18446744073709551621", quantity::count) == flaw::too_large);
  HOLDS(reads("8388607TiB", quantity::size, (1ULL << 63) - (1ULL << 40)));
  HOLDS(flaw_of("8388608TiB", quantity::size) == flaw::too_large);
  HOLDS(reads("8388607.999999999999090505298227071762084960937500TiB", quantity::size, limits::greatest));
  HOLDS(flaw_of("107000d", quantity::duration) == flaw::too_large);
}

TEST_CASE("limit_text: a duration is printed in the longest unit that leaves a whole number") {
  HOLDS(limit_text::longest_whole_unit(86'400'000'000'000).spelling == "d");
  HOLDS(limit_text::longest_whole_unit(3'600'000'000'000).spelling == "h");
  HOLDS(limit_text::longest_whole_unit(120'000'000'000).spelling == "m");
  HOLDS(limit_text::longest_whole_unit(1'500'000'000).spelling == "ms");
  HOLDS(limit_text::longest_whole_unit(1'001).spelling == "ns");
  HOLDS(limit_text::longest_whole_unit(2'000).factor == 1000);
}

TEST_CASE("limit_text: the table of written limits") {
  for (const vectors::row& row : vectors::table("limits.tsv", 35)) {
    const std::string text = row.text("text");
    CAPTURE(row.line());
    CAPTURE(text);
    const auto p = limit_text::parse(text, quantity_of(row.text("kind")));
    CHECK((p ? std::to_string(p.value) : "error:" + std::string(name(p.why))) == row.text("result"));
  }
}

} // namespace policy_limit_text_test
