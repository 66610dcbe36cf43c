// SPDX-License-Identifier: BSL-1.0
#include <cordon/format/text_map.hpp>

#include "dice.hpp"

#include <doctest/doctest.h>

#include <map>
#include <stdexcept>

using cordon::text_map;

TEST_CASE("text_map: names are listed in the order of their bytes, each once") {
  const text_map m{{"b", "1"}, {"a", "2"}, {"\xc3\xa4", "3"}, {"B", "4"}, {"b", "5"}};
  std::string all;
  for (const auto& [name, text] : m) all += name + "=" + text + " ";
  CHECK(all == "B=4 a=2 b=5 \xc3\xa4=3 ");
  CHECK(m.size() == 4);
}

TEST_CASE("text_map: a missing name is not found, and `at` throws") {
  const text_map m{{"b", "1"}, {"d", ""}};
  for (const char* missing : {"", "a", "c", "e", "bb"}) {
    CAPTURE(missing);
    CHECK(m.find(missing) == m.end());
    CHECK_THROWS_AS((void)m.at(missing), std::out_of_range);
  }
  CHECK(m.find("b")->second == "1");
  CHECK(m.at("d").empty());
  CHECK(text_map().find("b") == text_map().end());
}

TEST_CASE("text_map: equal maps have equal names and texts, in whatever order they were inserted") {
  CHECK(text_map{{"a", "1"}, {"b", "2"}} == text_map{{"b", "2"}, {"a", "1"}});
  CHECK(text_map{{"a", "1"}} != text_map{{"a", "2"}});
  CHECK(text_map{{"a", "1"}} != text_map{{"b", "1"}});
  CHECK(text_map{{"a", "1"}} != text_map());
}

TEST_CASE("text_map: random insertions give what a std::map has") {
  dice d(11);
  for (int round = 0; round < 200; ++round) {
    std::map<std::string, std::string> wanted;
    text_map m;
    CHECK(m.empty());
    for (auto n = d.below(40); n > 0; --n) {
      const std::string name(d.below(3), static_cast<char>('a' + d.below(5)));
      wanted[name] += "x";
      m.insert_or_assign(name, wanted[name]);
    }
    REQUIRE(m.size() == wanted.size());
    REQUIRE(std::equal(m.begin(), m.end(), wanted.begin(), wanted.end(), [](const auto& one, const auto& other) {
      return one.first == other.first && one.second == other.second;
    }));
    REQUIRE(m == text_map(wanted.begin(), wanted.end()));
    for (const auto& [name, text] : wanted) REQUIRE(m.at(name) == text);
    m.clear();
    REQUIRE(m.empty());
  }
}
