// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/policy/storage.hpp>

#include <type_traits>

using namespace cordon;

namespace {

constexpr std::string_view text_of(const auto& s, std::uint32_t i) {
  return {s.text() + s.slots()[i].first, s.slots()[i].length};
}

constexpr auto filled() {
  fixed<2, 6> s;
  s.push("/a", "xy", 7);
  s.push("/b", "", 9);
  return s;
}

constexpr bool takes_another(auto s, std::string_view a, std::string_view b) { return s.push(a, b, 0); }

} // namespace

TEST_CASE("storage: entries stand in the order of their arrival, each with its text") {
  constexpr auto s = filled();
  HOLDS(s.size() == 2);
  HOLDS(text_of(s, 0) == "/a");
  HOLDS(text_of(s, 1) == "/b");
  HOLDS(std::string_view(s.text(), 6) == "/axy/b");
  HOLDS(s.slots()[0].value == 7);
  HOLDS(s.slots()[1].value == 9);
  HOLDS(s.slots()[1].parent == no_slot);
}

TEST_CASE("storage: what does not fit is refused and changes nothing") {
  HOLDS(takes_another(fixed<1, 2>{}, "/a", ""));
  HOLDS(!takes_another(fixed<1, 2>{}, "/a", "x"));
  HOLDS(!takes_another(fixed<1, 2>{}, "/ab", ""));
  HOLDS(!takes_another(filled(), "", ""));
  auto s = filled();
  CHECK(!s.push("/c", "", 1));
  CHECK(s.size() == 2);
  CHECK(text_of(s, 1) == "/b");
}

TEST_CASE("storage: truncating drops the last entries") {
  auto s = filled();
  s.truncate(1);
  CHECK(s.size() == 1);
  CHECK(text_of(s, 0) == "/a");
}

TEST_CASE("storage: a fixed one is a plain value") {
  HOLDS(std::is_trivially_copyable_v<fixed<4, 16>>);
  HOLDS(std::is_trivially_destructible_v<fixed<4, 16>>);
  auto a = filled();
  const auto b = a;
  a.slots()[0].value = 1;
  CHECK(b.slots()[0].value == 7);
}
