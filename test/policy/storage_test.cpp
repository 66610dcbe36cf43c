// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/policy/heap.hpp>
#include <cordon/policy/storage.hpp>

#include <type_traits>

namespace policy_storage_test {

using namespace cordon;

namespace {

constexpr std::string_view text_of(const auto& s, std::uint32_t i) {
  return {s.text() + s.all_slots()[i].first, s.all_slots()[i].length};
}

constexpr auto filled() {
  fixed_storage<2, 6> s;
  s.push("/a", "xy", 7);
  s.push("/b", "", 9);
  return s;
}

constexpr bool takes_another(auto s, std::string_view a, std::string_view b) { return s.push(a, b, 0); }

} // namespace

TEST_CASE("storage: entries keep the order in which they were added, each with its text") {
  constexpr auto s = filled();
  HOLDS(s.size() == 2);
  HOLDS(text_of(s, 0) == "/a");
  HOLDS(text_of(s, 1) == "/b");
  HOLDS(std::string_view(s.text(), 6) == "/axy/b");
  HOLDS(s.all_slots()[0].value == 7);
  HOLDS(s.all_slots()[1].value == 9);
  HOLDS(s.all_slots()[1].parent == no_slot);
}

TEST_CASE("storage: an entry that does not fit is refused and changes nothing") {
  HOLDS(takes_another(fixed_storage<1, 2>{}, "/a", ""));
  HOLDS(!takes_another(fixed_storage<1, 2>{}, "/a", "x"));
  HOLDS(!takes_another(fixed_storage<1, 2>{}, "/ab", ""));
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

TEST_CASE("storage: fixed storage is trivially copyable") {
  HOLDS(std::is_trivially_copyable_v<fixed_storage<4, 16>>);
  HOLDS(std::is_trivially_destructible_v<fixed_storage<4, 16>>);
  auto a = filled();
  const auto b = a;
  a.all_slots()[0].value = 1;
  CHECK(b.all_slots()[0].value == 7);
}

TEST_CASE("side_table: holds the initial value for each entry until another is set, in every storage") {
  constexpr auto sum = [] {
    side_table<fixed_storage<4, 1>, int> t(3, 5);
    t[1] = 7;
    return t[0] * 100 + t[1] * 10 + t[2];
  }();
  HOLDS(sum == 575);
  side_table<heap, int> t(3, 5);
  t[1] = 7;
  CHECK(t[0] * 100 + t[1] * 10 + t[2] == 575);
}

} // namespace policy_storage_test
