// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"
#include "../vectors.hpp"

#include <cordon/policy/limit_text.hpp>

using namespace cordon;
using limit_text::flaw;
using limit_text::kind;

namespace {

constexpr bool reads(std::string_view text, kind k, std::uint64_t wanted) {
  const auto p = limit_text::parse(text, k);
  return p && p.value == wanted;
}
constexpr flaw flaw_of(std::string_view text, kind k) { return limit_text::parse(text, k).why; }

kind kind_of(const std::string& name) {
  if (name == "size") return kind::size;
  if (name == "duration") return kind::duration;
  if (name == "seconds") return kind::seconds;
  if (name == "count") return kind::count;
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
  HOLDS(reads("3B", kind::size, 3));
  HOLDS(reads("3kB", kind::size, 3000));
  HOLDS(reads("3MB", kind::size, 3'000'000));
  HOLDS(reads("3TB", kind::size, 3'000'000'000'000));
  HOLDS(reads("3MiB", kind::size, 3ULL << 20));
  HOLDS(reads("3TiB", kind::size, 3ULL << 40));
  HOLDS(reads("3ns", kind::duration, 3));
  HOLDS(reads("3us", kind::duration, 3000));
  HOLDS(reads("3ms", kind::duration, 3'000'000));
  HOLDS(reads("3min", kind::duration, 180'000'000'000));
  HOLDS(reads("3h", kind::duration, 10'800'000'000'000));
  HOLDS(reads("3d", kind::duration, 259'200'000'000'000));
  HOLDS(reads("3", kind::seconds, 3'000'000'000));
  HOLDS(reads("0009", kind::count, 9));
  HOLDS(flaw_of("3s", kind::size) == flaw::bad_unit);
  HOLDS(flaw_of("3B", kind::duration) == flaw::bad_unit);
  HOLDS(flaw_of("3 ", kind::duration) == flaw::missing_unit);
  HOLDS(reads("3 ", kind::size, 3));
  HOLDS(flaw_of("3 ", kind::count) == flaw::bad_number);
}

TEST_CASE("limit_text: fractions are exact however many digits they have") {
  HOLDS(reads("0.5KiB", kind::size, 512));
  HOLDS(reads("0.0009765625KiB", kind::size, 1));
  HOLDS(reads("0.00097656250000000000000000000000000000KiB", kind::size, 1));
  HOLDS(flaw_of("0.00097656250000000000000000000000000001KiB", kind::size) == flaw::not_whole);
  HOLDS(flaw_of("0.5B", kind::size) == flaw::not_whole);
  HOLDS(reads("1.0B", kind::size, 1));
  HOLDS(reads("0.000000001s", kind::duration, 1));
  HOLDS(flaw_of("0.0000000001s", kind::duration) == flaw::not_whole);
  HOLDS(flaw_of("0.0s", kind::duration) == flaw::zero);
  HOLDS(flaw_of("1.2.3s", kind::duration) == flaw::bad_number);
  HOLDS(flaw_of("1.s", kind::duration) == flaw::bad_number);
}

TEST_CASE("limit_text: the largest value is 2^63-1") {
  HOLDS(reads("9223372036854775807", kind::size, limits::greatest));
  HOLDS(reads("9223372036854775807.000", kind::size, limits::greatest));
  HOLDS(flaw_of("9223372036854775807.5", kind::size) == flaw::too_large);
  HOLDS(flaw_of("9223372036854775808", kind::size) == flaw::too_large);
  HOLDS(flaw_of("99999999999999999999999999", kind::count) == flaw::too_large);
  HOLDS(flaw_of("18446744073709551621", kind::size) == flaw::too_large);
  HOLDS(flaw_of("18446744073709551621", kind::count) == flaw::too_large);
  HOLDS(reads("8388607TiB", kind::size, (1ULL << 63) - (1ULL << 40)));
  HOLDS(flaw_of("8388608TiB", kind::size) == flaw::too_large);
  HOLDS(reads("8388607.999999999999090505298227071762084960937500TiB", kind::size, limits::greatest));
  HOLDS(flaw_of("107000d", kind::duration) == flaw::too_large);
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
    const auto p = limit_text::parse(text, kind_of(row.text("kind")));
    CHECK((p ? std::to_string(p.value) : "error:" + std::string(name(p.why))) == row.text("result"));
  }
}
