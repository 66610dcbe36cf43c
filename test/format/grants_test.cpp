// SPDX-License-Identifier: BSL-1.0
#include "dice.hpp"

#include <cordon/format/grants.hpp>

#include <doctest/doctest.h>

using namespace cordon;
using namespace cordon::format;

namespace {

std::string text(const std::vector<grant>& grants) {
  std::string out;
  for (const grant& g : grants) out += g.place + " " + std::to_string(g.allowed.bits()) + "\n";
  return out;
}

/// A path of few different components, so that many have a long common prefix.
std::string random_place(dice& d) {
  constexpr std::string_view parts[]{
      "a", "b", "a-", "a.", "a\x01", "\x01", "\xff", "long-component-0", "long-component-1", "0"};
  std::string place;
  for (std::uint32_t i = d.below(6); i-- > 0;) place += "/" + std::string(d.one_of(parts));
  return place.empty() ? "/" : place;
}

} // namespace

TEST_CASE("grants: the fast sort gives the order of the tree") {
  for (int seed = 0; seed < 2'000; ++seed) {
    dice d(static_cast<std::uint64_t>(seed));
    const std::string start = d.percent(50) ? "" : random_place(d);
    std::vector<grant> grants;
    for (std::uint32_t i = d.below(20); i-- > 0;)
      grants.push_back({(start.size() < 2 ? "" : start) + random_place(d), rights::from_bits(i)});
    for (grant& g : grants)
      if (g.place.size() > 1 && g.place.back() == '/') g.place.pop_back();
    std::vector<grant> fast = grants;
    format::detail::sort(fast);
    std::sort(grants.begin(), grants.end(), format::detail::before);
    CAPTURE(seed);
    REQUIRE(fast.size() == grants.size());
    for (std::size_t i = 0; i < grants.size(); ++i) REQUIRE(fast[i].place == grants[i].place);
  }
}

TEST_CASE("grants: add_missing keeps present grants, adds missing ones and unites repeated ones") {
  std::vector<grant> to{{"/a", verb::write}, {"/c", verb::hide}};
  format::detail::add_missing(
      to, {{"/d", right::run}, {"/a", verb::read}, {"/b", verb::read}, {"/d", right::read}, {"/a/x", verb::run}});
  CHECK(text(to) == text({{"/a", verb::write},
                          {"/a/x", verb::run},
                          {"/b", verb::read},
                          {"/c", {}},
                          {"/d", right::run | right::read}}));
  format::detail::add_missing(to, {});
  CHECK(to.size() == 5);
}

TEST_CASE("grants: the more specific grant of two lists decides, and the first list at the same path") {
  const std::vector<grant> above{{"/a", verb::write}, {"/a/b/c", verb::hide}},
      below{{"/a", verb::read}, {"/a/b", verb::run}, {"/x", verb::run}};
  CHECK(format::detail::at(above, below, "/a") == verb::write);
  CHECK(format::detail::at(above, below, "/a/y") == verb::write);
  CHECK(format::detail::at(above, below, "/a/b/y") == verb::run);
  CHECK(format::detail::at(above, below, "/a/b/c/d") == verb::hide);
  CHECK(format::detail::at(above, below, "/x") == verb::run);
  CHECK(format::detail::at(above, below, "/y") == verb::hide);
  CHECK(format::detail::covering(above, "/y") == nullptr);
}
