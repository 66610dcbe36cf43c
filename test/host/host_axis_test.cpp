// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"
#include "lists.hpp"

namespace host_host_axis_test {

using namespace cordon;
using lists::small;

namespace {

constexpr bool within(std::string_view a, std::string_view b) {
  const small x(a), y(b);
  return x.fine && y.fine && x.view() <= y.view();
}
constexpr bool same(std::string_view a, std::string_view b) { return within(a, b) && within(b, a); }

/// The places of all excesses as text, sorted.
std::string excess(std::string_view a, std::string_view b) {
  const lists::large x(a), y(b);
  std::vector<std::string> places;
  const std::size_t count = each_excess(x.view(), y.view(), [&](std::string_view place) {
    places.emplace_back(host::text_of_place(place).view());
    return true;
  });
  CHECK(count == places.size());
  std::sort(places.begin(), places.end());
  return lists::joined(places);
}

} // namespace

TEST_CASE("host_axis: two halves equal their prefix, but names do not add up to a star") {
  HOLDS(same("10.0.0.0/9 10.128.0.0/9", "10.0.0.0/8"));
  HOLDS(same("192.0.2.4/31:443 192.0.2.6:443 192.0.2.7", "192.0.2.4/30:443 192.0.2.7"));
  HOLDS(same("=a *.a", "a"));
  HOLDS(!within("a", "*.a"));
  HOLDS(!within("*", "com net org"));
  HOLDS(same("[::fffe:0:0]/95", "[::fffe:0:0]/96"));
}

TEST_CASE("host_axis: any is all names and all addresses") {
  HOLDS(same("any", "* 0.0.0.0/0 [::]/0"));
  HOLDS(!within("any", "*"));
  HOLDS(!within("any", "0.0.0.0/0 [::]/0"));
  HOLDS(!within("any", "* 0.0.0.0/0"));
  HOLDS(small("any").view().is_any());
  HOLDS(!small("*").view().is_any());
  HOLDS(!small("any !a").view().is_any());
  HOLDS(small("none").view().is_none());
  HOLDS(small("a !com !a").view().is_none());
  HOLDS(!small("=a:443").view().is_none());
  HOLDS(host_axis{}.is_none());
  HOLDS(host::any_host.is_any());
}

TEST_CASE("host_axis: denials of both sides are compared") {
  HOLDS(within("a !b.a", "a"));
  HOLDS(!within("a", "a !b.a"));
  HOLDS(within("a !b.a", "a !c.b.a"));
  HOLDS(same("a b !b", "a"));
  HOLDS(same("a:1-100 !a:50-60", "a:1-49 a:61-100"));
  HOLDS(same("10.0.0.0/8 !10.0.0.0/9", "10.128.0.0/9"));
  HOLDS(same("10.0.0.0/8 !10.0.0.0/9 !10.128.0.0/9", "none"));
  HOLDS(within("10.0.0.0/8 !10.0.0.0/9", "10.128.0.0/9 !10.0.0.0/8:80 8.8.8.8") == false);
  HOLDS(within("10.0.0.0/8 !10.0.0.0/9 !*:80", "10.128.0.0/9"));
  HOLDS(same("* !10.0.0.0/8", "*"));
}

TEST_CASE("host_axis: each excess has a witness") {
  CHECK(excess("a b", "a b c") == "");
  CHECK(excess("a b", "a") == "b");
  CHECK(excess("*", "com") == "*");
  CHECK(excess("a:443 b", "a:80 b:443") == "a b");
  CHECK(excess("any", "*") == "0.0.0.0/0 [::]/0");
  CHECK(excess("any", "none") == "* 0.0.0.0/0 [::]/0");
  CHECK(excess("10.0.0.0/8", "10.0.0.0/9") == "10.128.0.0");
  CHECK(excess("* 10.0.0.0/8", "* !8.8.8.8") == "10.0.0.0 8.8.8.8");
  CHECK(excess("a", "a !=a") == "=a");
  const lists::large x("a b c"), none("none");
  CHECK(each_excess(x.view(), none.view(), [](std::string_view) { return false; }) == 1);
}

} // namespace host_host_axis_test
