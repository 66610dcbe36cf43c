// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/captured_output.hpp>

#include "../dice.hpp"

#include <doctest/doctest.h>

using namespace cordon;

TEST_SUITE("excerpt") {

  TEST_CASE("captured_output: output that fits is kept whole") {
    captured_output e({.head = 4, .tail = 3});
    e.add("abcdefg");
    CHECK(e.text() == "abcdefg");
    CHECK(e.written() == 7);
    CHECK(e.left_out() == 0);
  }

  TEST_CASE("captured_output: the number of bytes that were left out is exact") {
    captured_output e({.head = 4, .tail = 3});
    e.add("abcdefgh");
    CHECK(e.head() == "abcd");
    CHECK(e.tail() == "fgh");
    CHECK(e.left_out() == 1);
    CHECK(e.text() == "abcd\n[cordon: 1 bytes left out]\nfgh");
  }

  TEST_CASE("captured_output: head or tail may be kept alone") {
    captured_output beginning({.head = 2, .tail = 0}), end({.head = 0, .tail = 2}), nothing({.head = 0, .tail = 0});
    for (captured_output* e : {&beginning, &end, &nothing}) e->add("abcdef");
    CHECK(beginning.text() == "ab\n[cordon: 4 bytes left out]\n");
    CHECK(end.text() == "\n[cordon: 4 bytes left out]\nef");
    CHECK(nothing.text() == "\n[cordon: 6 bytes left out]\n");
  }

  TEST_CASE("captured_output: an empty stream has an empty text") {
    const captured_output e;
    CHECK(e.text().empty());
    CHECK(e.written() == 0);
  }

  TEST_CASE("captured_output: head and tail do not depend on the pieces") {
    dice d(6);
    for (int round = 0; round < 300; ++round) {
      constexpr std::size_t sizes[]{0, 1, 100, 65535, 65536, 70000, 200000, captured_size::everything};
      const captured_size keep{sizes[d.below(8)], sizes[d.below(7)]};
      captured_output e(keep);
      std::string all;
      for (auto pieces = d.below(8); pieces > 0; --pieces) {
        std::string piece(d.below(3) == 0 ? d.below(150'000) : d.below(300), '\0');
        for (char& c : piece) c = static_cast<char>('a' + d.below(26));
        all += piece;
        e.add(piece);
      }
      CAPTURE(all.size());
      const std::size_t head = std::min(keep.head, all.size()), tail = std::min(keep.tail, all.size() - head);
      REQUIRE(e.written() == all.size());
      REQUIRE(e.head() == all.substr(0, head));
      REQUIRE(e.tail() == all.substr(all.size() - tail));
      REQUIRE(e.left_out() == all.size() - head - tail);
    }
  }

} // TEST_SUITE
