// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"
#include "lists.hpp"

namespace host_elementary_ranges_test {

using namespace cordon;
using namespace cordon::host;

namespace {

/// The names at which two lists are compared, with the entries that decide: "place=ij " each, - for none.
constexpr bool names_are(std::string_view a, std::string_view b, std::string_view wanted) {
  const lists::small x(a), y(b);
  small_text<200> text;
  each_elementary_name(function_set<2>{x.view().allowed, y.view().allowed},
                       [&](std::string_view place, const deciding_entries<2>& in) {
                         text.add(place);
                         text.add(':');
                         for (const std::uint32_t i : in) text.add(i == no_slot ? '-' : static_cast<char>('0' + i));
                         text.add(' ');
                         return true;
                       });
  return text.view() == wanted;
}

/// The cells of a prefix: first addresses, with ! where special, and the entry that decides.
constexpr bool ranges_are(std::string_view words, std::string_view inside, std::string_view wanted) {
  const lists::small x(words);
  const prefix block = parse(inside).block;
  small_text<400> text;
  address expected = block.first;
  bool gapless = true;
  each_elementary_range(function_set<1>{x.view().allowed}, block,
                        [&](const elementary_range& cell, const deciding_entries<1>& in) {
                          gapless = gapless && cell.first == expected && cell.first <= cell.last;
                          expected = next(cell.last);
                          if (cell.address_class == address_class::special_purpose) text.add('!');
                          print(cell.first, text);
                          text.add(':');
                          text.add(in[0] == no_slot ? '-' : static_cast<char>('0' + in[0]));
                          text.add(' ');
                          return true;
                        });
  return text.view() == wanted && gapless && expected == next(block.last());
}

} // namespace

TEST_CASE("elementary ranges: each name of either list has the deciding entries of both") {
  HOLDS(names_are("none", "none", "*:-- "));
  HOLDS(names_are("any", "none", "*:0- "));
  HOLDS(names_are("* a", "b.a", "*:0- a:1- b.a:10 "));
  HOLDS(names_are("a =a:80", "*.a", "*:-- a:00 =a:01 "));
  HOLDS(names_are("=a b.a:1 c", "a:80 d", "*:-- a:-0 =a:00 b.a:10 c:2- d:-1 "));
  HOLDS(names_are("10.0.0.0/8", "[::]/0 a", "*:-- a:-0 "));
}

TEST_CASE("elementary ranges: addresses of a prefix") {
  HOLDS(ranges_are("none", "10.0.0.0/8", "!10.0.0.0:- "));
  HOLDS(ranges_are("none", "10.0.0.0/7", "!10.0.0.0:- 11.0.0.0:- "));
  HOLDS(ranges_are("10.0.0.0/9 10.0.0.0/10:80", "10.0.0.0/7", "!10.0.0.0:0 !10.128.0.0:- 11.0.0.0:- "));
  HOLDS(ranges_are("10.0.0.0/9:80 10.0.0.0/10", "10.0.0.0/7", "!10.0.0.0:1 !10.64.0.0:0 !10.128.0.0:- 11.0.0.0:- "));
  HOLDS(ranges_are("10.0.0.0/7", "10.0.0.0/7", "!10.0.0.0:1 11.0.0.0:0 "));
  HOLDS(ranges_are("10.0.0.5", "10.0.0.4/30", "!10.0.0.4:- !10.0.0.5:0 !10.0.0.6:- "));
  HOLDS(ranges_are("* 8.8.8.8:1 9.0.0.0/8", "8.8.8.0/24", "8.8.8.0:0 8.8.8.8:1 8.8.8.9:0 "));
  HOLDS(ranges_are("255.255.255.255", "255.255.255.254/31", "!255.255.255.254:- !255.255.255.255:0 "));
  HOLDS(ranges_are("0.0.0.0/0:1 8.0.0.0/8", "8.8.0.0/16", "8.8.0.0:1 "));
}

TEST_CASE("elementary ranges: the range of mapped IPv4 addresses is left out") {
  int cells = 0;
  each_elementary_range(function_set<0>{}, prefix{ipv6(0, 0xFFFE00000000), 95},
                        [&](const elementary_range& cell, const deciding_entries<0>&) {
                          CHECK(cell.first == ipv6(0, 0xFFFE00000000));
                          CHECK(cell.last == ipv6(0, 0xFFFEFFFFFFFF));
                          ++cells;
                          return true;
                        });
  CHECK(cells == 1);
  CHECK(each_elementary_range(function_set<0>{}, prefix{ipv6(0, 0xFFFF00000000), 96},
                              [](const elementary_range&, const deciding_entries<0>&) { return false; }));
}

TEST_CASE("elementary ranges: a walk stops when the visitor returns false") {
  const lists::small x("a b 10.0.0.5");
  int calls = 0;
  const auto second = [&](const auto&...) { return ++calls != 2; };
  CHECK(!each_elementary_name(function_set<1>{x.view().allowed}, second));
  CHECK(calls == 2);
  calls = 0;
  CHECK(!each_elementary_range(function_set<1>{x.view().allowed}, whole(family::v4), second));
  CHECK(calls == 2);
}

TEST_CASE("elementary ranges: has_blocks finds the address families of a list") {
  const auto has = [](std::string_view words, family f) { return has_blocks(lists::large(words).view().allowed, f); };
  CHECK(!has("any", family::v4));
  CHECK(!has("* a", family::v6));
  CHECK(has("0.0.0.0/0", family::v4));
  CHECK(!has("0.0.0.0/0", family::v6));
  CHECK(has("* 10.0.0.1", family::v4));
  CHECK(has("a [::]/0", family::v6));
  CHECK(!has("a [::]/0", family::v4));
  CHECK(has("255.255.255.255", family::v4));
  CHECK(has("[fe80::1] 8.8.8.8", family::v4));
}

} // namespace host_elementary_ranges_test
